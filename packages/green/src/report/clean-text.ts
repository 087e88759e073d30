/** Characters that XML forbids, that change the direction of text, or that have no width. */
const unwanted =
  /[\p{Noncharacter_Code_Point}\u0000-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/** A foreign text as one line that every renderer can set. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(breaks, ' ')
    .replaceAll(unwanted, '')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
}

/** Cleans every text in a value. Dates and numbers stay. */
export function cleanTexts<Value>(value: Value): Value {
  return cleaned(value) as Value;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cleaned(inner)]));
}
