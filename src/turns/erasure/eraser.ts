import type { JsonValue } from '../../common/json.js';
import type { ForgottenTexts } from './forgotten-texts.js';

/** What stands where something was erased. */
export const ERASED = '[…]';

/** Where a text stands: in what was told or said of memories, or anywhere else. */
export type Place = 'memory' | 'elsewhere';

/** As the memory context stands in a prompt. */
const MEMORY_SECTION = /<memory>[\s\S]*?(?:<\/memory>|$)/gu;

/** As the result of a skill stands in a prompt: data between marks. */
const RESULT = /^(<result [^\n]*>\n)([\s\S]*)(\n<\/result>)$/u;

/** Erases texts from what is stored, in whatever way JSON writes them, and leaves all JSON whole. */
export class Eraser {
  private readonly everywhere: readonly RegExp[];
  private readonly inMemory: readonly RegExp[];
  private readonly forgotten: ReadonlySet<string>;

  constructor({ texts, shortTexts }: ForgottenTexts) {
    this.everywhere = texts.flatMap(waysToWrite).map((text) => new RegExp(escaped(text), 'gu'));
    this.inMemory = shortTexts.flatMap(waysToWrite).map(asWord);
    this.forgotten = new Set([...texts, ...shortTexts]);
  }

  /** The text as it was where there is nothing to erase. */
  text(text: string, place: Place): string {
    const [, opening, result, closing] = RESULT.exec(text) ?? [];
    if (result !== undefined) return `${opening}${this.text(result, place)}${closing}`;
    const json = parsed(text);
    if (json === undefined) return this.plain(text, place);
    const erased = this.json(json, place);
    return erased === json ? text : JSON.stringify(erased);
  }

  /** The same value where there is nothing to erase. */
  json<Value extends JsonValue>(value: Value, place: Place): Value;
  json(value: JsonValue, place: Place): JsonValue {
    if (typeof value === 'string') return this.text(value, place);
    if (typeof value === 'number') {
      return place === 'memory' && this.forgotten.has(String(value)) ? ERASED : value;
    }
    if (value === null || typeof value === 'boolean') return value;
    if (Array.isArray(value)) {
      const erased = value.map((item) => this.json(item, place));
      return erased.some((item, index) => item !== value[index]) ? erased : value;
    }
    const entries = Object.entries(value).map(([key, item]) => [key, this.json(item, place)] as const);
    return entries.some(([key, item]) => item !== value[key]) ? Object.fromEntries(entries) : value;
  }

  private plain(text: string, place: Place): string {
    const erased = without(text, this.everywhere);
    if (place === 'memory') return without(erased, this.inMemory);
    return erased.replace(MEMORY_SECTION, (section) => without(section, this.inMemory));
  }
}

/** What to look for to find rows that may hold a text: as it is, within JSON, and within JSON within JSON. */
export const needlesOf = (text: string): string[] => {
  const inJson = [text, guarded(text)].flatMap((written) => [asInJson(written), asAscii(asInJson(written))]);
  return [...new Set([text, ...inJson, ...inJson.map(asInJson)])];
};

const waysToWrite = (text: string): string[] => [
  ...new Set([text, guarded(text), asInJson(text), asAscii(asInJson(text))]),
];

/** Within a prompt no memory ends the section that it stands in. */
const guarded = (text: string): string => text.replaceAll('</memory', '<\\/memory');

const asInJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** As servers write JSON that keep to ASCII. */
const asAscii = (text: string): string =>
  text.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const without = (text: string, patterns: readonly RegExp[]): string =>
  patterns.reduce((erased, pattern) => erased.replace(pattern, () => ERASED), text);

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const SPACED =
  /^(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])[\p{L}\p{N}]$/u;

/** Not inside of another word, as far as the script has blanks between them. */
const asWord = (text: string): RegExp => {
  const letters = Array.from(text);
  const before = SPACED.test(letters[0] ?? '') ? '(?<![\\p{L}\\p{N}])' : '';
  const after = SPACED.test(letters.at(-1) ?? '') ? '(?![\\p{L}\\p{N}])' : '';
  return new RegExp(before + escaped(text) + after, 'gu');
};

const parsed = (text: string): JsonValue | undefined => {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
};
