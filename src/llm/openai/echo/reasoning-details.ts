import type { JsonObject, JsonValue } from '../../../common/json.js';

/** Those that come in pieces, by the key that the pieces are of. What is encrypted comes whole. */
const TEXT_KEYS: Readonly<Record<string, string>> = {
  'reasoning.text': 'text',
  'reasoning.summary': 'summary',
};

/**
 * Joins OpenRouter's `reasoning_details`, which a stream brings in pieces: a signature is one of the whole text, and
 * fits no piece of it.
 */
export class ReasoningDetails {
  readonly whole: JsonObject[] = [];

  /** Takes those of one chunk. Without an index two of them are two, while one may go on with the last of a chunk before. */
  add(details: readonly JsonObject[]): void {
    const before = this.whole.at(-1);
    for (const [position, piece] of details.entries()) {
      const begun = isNumbered(piece)
        ? this.whole.findLast((known) => goesOn(known, piece))
        : position === 0 && before && goesOn(before, piece)
          ? before
          : undefined;
      if (begun) join(begun, piece);
      else this.whole.push({ ...piece });
    }
  }
}

const isNumbered = ({ index }: JsonObject): boolean => typeof index === 'number';

const goesOn = (known: JsonObject, piece: JsonObject): boolean =>
  String(piece['type']) in TEXT_KEYS &&
  known['type'] === piece['type'] &&
  (known['index'] ?? null) === (piece['index'] ?? null) &&
  (isBlank(known['id']) || isBlank(piece['id']) || known['id'] === piece['id']);

/** Written in place: there may be a piece for every word. */
function join(known: JsonObject, piece: JsonObject): void {
  const textKey = TEXT_KEYS[String(piece['type'])] ?? 'text';
  for (const [key, value] of Object.entries(piece)) {
    if (key === textKey && typeof value === 'string') known[key] = textOf(known[key]) + value;
    else if (isBlank(known[key])) known[key] = value;
  }
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

const isBlank = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || value === '';
