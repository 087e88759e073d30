const HIGH_SURROGATE_AT_END = /[\uD800-\uDBFF]$/;

/** What PostgreSQL can store as text and as JSON: no NUL, no half characters. */
export const wellFormed = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** The same value with all its strings, keys among them, as PostgreSQL can store them. */
export const wellFormedValue = <T>(value: T): T => clean(value) as T;

const clean = (value: unknown): unknown => {
  if (typeof value === 'string') return wellFormed(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [wellFormed(key), clean(inner)]));
};

/**
 * Splits off a first half of a character at the end: providers send both halves of an emoji as two escapes, which
 * may come in two chunks.
 */
export const splitHalfCharacter = (text: string): { whole: string; half: string } =>
  HIGH_SURROGATE_AT_END.test(text)
    ? { whole: text.slice(0, -1), half: text.slice(-1) }
    : { whole: text, half: '' };
