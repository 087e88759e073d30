import { literalPattern } from '@palabre/text';
import { isJsonObject, type JsonValue, textsIn } from '@palabre/json';

export interface ErasedTexts {
  /** Texts long enough to be erased everywhere. */
  texts: string[];
  /** Short texts, such as a name or a status, which also occur for other reasons. Erased among memories only. */
  shortTexts: string[];
}

/** The replacement for erased text. */
export const ERASED = '[…]';

/** Whether a text is about memories, or anything else. */
export type Place = 'memory' | 'elsewhere';

/** The memory context in a prompt. */
const MEMORY_SECTION = /<memory>[\s\S]*?(?:<\/memory>|$)/gu;

/** The result of a skill in a prompt: data between marks. */
const RESULT = /^(<result [^\n]*>\n)([\s\S]*)(\n<\/result>)$/u;

/** Erases texts from stored values, in every way that JSON can escape them, and keeps JSON valid. */
export class Eraser {
  private readonly everywhere: readonly RegExp[];
  private readonly inMemory: readonly RegExp[];
  private readonly forgotten: ReadonlySet<string>;

  constructor({ texts, shortTexts }: ErasedTexts) {
    this.everywhere = texts.flatMap(waysToWrite).map((text) => new RegExp(literalPattern(text), 'gu'));
    this.inMemory = shortTexts.flatMap(waysToWrite).map(asWord);
    this.forgotten = new Set([...texts, ...shortTexts]);
  }

  /** Returns the same string if there is nothing to erase. */
  text(text: string, place: Place): string {
    const [, opening, result, closing] = RESULT.exec(text) ?? [];
    if (result !== undefined) return `${opening}${this.text(result, place)}${closing}`;
    const json = parsed(text);
    if (json === undefined) return this.plain(text, place);
    const erased = this.json(json, place);
    return erased === json ? text : JSON.stringify(erased);
  }

  /** Returns the same value if there is nothing to erase. */
  json<Value extends JsonValue>(value: Value, place: Place): Value;
  json(value: JsonValue, place: Place): JsonValue {
    if (typeof value === 'string') return this.text(value, place);
    if (typeof value === 'number')
      return place === 'memory' && this.forgotten.has(String(value)) ? ERASED : value;
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

/** Search strings for rows that may contain the text: plain, escaped in JSON, and in JSON within JSON. */
export function needlesOf(text: string): string[] {
  const inJson = [text, guarded(text)].flatMap((written) => [asInJson(written), asAscii(asInJson(written))]);
  return [...new Set([text, ...inJson, ...inJson.map(asInJson)])];
}

function waysToWrite(text: string): string[] {
  return [...new Set([text, guarded(text), asInJson(text), asAscii(asInJson(text))])];
}

/** The text as prompts contain it: a memory must not close its own section. */
function guarded(text: string): string {
  return text.replaceAll('</memory', '<\\/memory');
}

function asInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** With non-ASCII characters escaped, as some servers write JSON. */
function asAscii(text: string): string {
  return text.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function without(text: string, patterns: readonly RegExp[]): string {
  return patterns.reduce((erased, pattern) => erased.replace(pattern, () => ERASED), text);
}

const SPACED =
  /^(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])[\p{L}\p{N}]$/u;

/** Matches whole words only, in scripts that separate words by blanks. */
function asWord(text: string): RegExp {
  const letters = Array.from(text);
  const before = SPACED.test(letters[0] ?? '') ? '(?<![\\p{L}\\p{N}])' : '';
  const after = SPACED.test(letters.at(-1) ?? '') ? '(?![\\p{L}\\p{N}])' : '';
  return new RegExp(before + literalPattern(text) + after, 'gu');
}

function parsed(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Shorter texts, such as a status or a unit, also occur for other reasons. */
const SHORTEST = 20;

/** All texts of a skill's result within objects that are about the document. */
export function textsOfDocument(value: JsonValue, documentId: string): string[] {
  if (value === null || typeof value !== 'object') return [];
  if (isJsonObject(value) && isAbout(value, documentId))
    return textsIn(value).filter((text) => text.length >= SHORTEST && text !== documentId);
  return Object.values(value).flatMap((item) => textsOfDocument(item, documentId));
}

function isAbout(value: Record<string, JsonValue>, documentId: string): boolean {
  const { document } = value;
  return value['documentId'] === documentId || (isJsonObject(document) && document['id'] === documentId);
}
