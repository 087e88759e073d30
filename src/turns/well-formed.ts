const HIGH_SURROGATE_AT_END = /[\uD800-\uDBFF]$/;

/** What PostgreSQL can store as text and as JSON: no NUL, no half characters. */
export const wellFormed = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/**
 * Splits off a first half of a character at the end: providers send both halves of an emoji as two escapes, which
 * may come in two chunks.
 */
export const splitHalfCharacter = (text: string): { whole: string; half: string } =>
  HIGH_SURROGATE_AT_END.test(text)
    ? { whole: text.slice(0, -1), half: text.slice(-1) }
    : { whole: text, half: '' };
