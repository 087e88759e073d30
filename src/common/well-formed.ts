const HIGH_SURROGATE_AT_END = /[\uD800-\uDBFF]$/;

/** The text as PostgreSQL can store it, also in JSON: without NULs and lone surrogates. */
export function wellFormed(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** The same value with all its strings, keys among them, as PostgreSQL can store them. */
export function wellFormedValue<T>(value: T): T {
  return clean(value) as T;
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return wellFormed(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [wellFormed(key), clean(inner)]));
}

/** Providers send an emoji as two escapes, which may arrive in two chunks. */
export function splitHalfCharacter(text: string): { whole: string; half: string } {
  return HIGH_SURROGATE_AT_END.test(text)
    ? { whole: text.slice(0, -1), half: text.slice(-1) }
    : { whole: text, half: '' };
}
