import { singleLine } from '@palabre/text';
import type { JsonObject, JsonValue } from '@palabre/json';

import type { TokenCounter } from '../agent-ports.js';
import { fill, type Wording, wordingIn } from '../../../common/wording/wording.js';

/** The minimum for a field of an object. If there is less room, the last fields are dropped. */
const LEAST_FIELD_TOKENS = 60;
/** Quotes, comma and colon around a value. */
const BORDER_TOKENS = 2;
const MAX_DEPTH = 50;
const MAX_TRIES = 10;
/** Longer texts are measured by samples, because counting them blocks everything else. */
const MAX_COUNTED = 4_000;
const SAMPLES = 16;
const SAMPLE_CHARACTERS = 64;
/** A sampled size above this multiple of the limit needs no exact count. */
const SURELY_TOO_LONG = 1.25;
/** A cut that fills this share of the room is good enough. */
const FULL_ENOUGH = 0.9;
/** The same for sampled sizes. */
const FEW_TRIES = 4;
const ABOUT_FULL_ENOUGH = 0.7;
const MAX_NAMES = 300;

/** Notes what is left out. JSON is cut between elements and stays valid. Text is cut at a paragraph or sentence. */
export function cutResult(result: string, maxTokens: number, tokens: TokenCounter, language: string): string {
  // A token has at least one byte.
  if (Buffer.byteLength(result) <= maxTokens) return result;
  const measure = result.length > MAX_COUNTED ? sampled(result, tokens) : tokens;
  if (sizeUpTo(maxTokens, result, tokens) <= maxTokens) return result;
  const cut = new Cut(measure, tokens, wordingIn(language).plan);
  const value = parsed(result);
  if (value === undefined) return cut.wholeText(result, maxTokens);
  const shorter = cut.json(value, maxTokens);
  if (shorter !== null) return shorter;
  // Names that take all the room, or endless nesting: the raw beginning is better than nothing.
  return cut.beginning(result, maxTokens);
}

/** Estimates tokens by the text's average density, which is exact enough for parts of it. */
function sampled(text: string, tokens: TokenCounter): TokenCounter {
  const density = tokensPerCharacter(text, tokens);
  return {
    count: (part) => Math.ceil(part.length * density),
    cut: (part, maxTokens) =>
      part.slice(0, Math.max(0, Math.floor(maxTokens / density))).replace(/[\uD800-\uDBFF]$/, ''),
  };
}

function tokensPerCharacter(text: string, tokens: TokenCounter): number {
  const every = text.length / SAMPLES;
  let counted = 0;
  for (let index = 0; index < SAMPLES; index += 1) {
    const start = Math.floor(index * every);
    counted += tokens.count(text.slice(start, start + SAMPLE_CHARACTERS));
  }
  return counted / (SAMPLES * SAMPLE_CHARACTERS);
}

/** Exact if the text may have at most `maxTokens`. */
function sizeUpTo(maxTokens: number, text: string, tokens: TokenCounter): number {
  if (text.length <= MAX_COUNTED) return tokens.count(text);
  const about = text.length * tokensPerCharacter(text, tokens);
  return about > SURELY_TOO_LONG * maxTokens ? about : tokens.count(text);
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

class Cut {
  private readonly sizes = new Map<JsonValue, number>();

  constructor(
    /** For parts. */
    private readonly tokens: TokenCounter,
    /** For the result. */
    private readonly exact: TokenCounter,
    private readonly labels: Wording['plan'],
  ) {}

  text(text: string, maxTokens: number): string {
    const all = this.tokens.count(text);
    if (all <= maxTokens) return text;
    const noteTokens = this.tokens.count(fill(this.labels.textLeftOut, { left: all, all }));
    for (let room = maxTokens - noteTokens - BORDER_TOKENS; room > 0; room = Math.floor(room * 0.9)) {
      const kept = atBorder(this.tokens.cut(text, room));
      const cut = `${kept}\n${fill(this.labels.textLeftOut, { left: all - this.tokens.count(kept), all })}`;
      if (this.tokens.count(cut) <= maxTokens) return cut;
    }
    return this.tokens.cut(fill(this.labels.textLeftOut, { left: all, all }), maxTokens);
  }

  /** The text of a result that is not JSON. */
  wholeText(text: string, maxTokens: number): string {
    for (let room = maxTokens; room > 0; room = Math.floor(room * 0.9)) {
      const cut = this.text(text, room);
      if (sizeUpTo(maxTokens, cut, this.exact) <= maxTokens) return cut;
    }
    return this.exact.cut(text, maxTokens);
  }

  beginning(text: string, maxTokens: number): string {
    for (let room = maxTokens; room > 0; room = Math.floor(room * 0.8)) {
      const cut = JSON.stringify(this.value(text, room));
      if (sizeUpTo(maxTokens, cut, this.exact) <= maxTokens) return cut;
    }
    return JSON.stringify('…');
  }

  /** Null: it could not be cut enough. Parts are counted separately, so several tries are needed. */
  json(value: JsonValue, maxTokens: number): string | null {
    let best: string | null = null;
    let budget = maxTokens;
    const isExact = this.tokens === this.exact;
    const enough = (isExact ? FULL_ENOUGH : ABOUT_FULL_ENOUGH) * maxTokens;
    for (let tries = 0; tries < (isExact ? MAX_TRIES : FEW_TRIES); tries += 1) {
      const shorter = JSON.stringify(this.value(value, Math.floor(budget)));
      const size = sizeUpTo(maxTokens, shorter, this.exact);
      if (size > maxTokens && best !== null && isExact) break;
      if (size <= maxTokens && shorter.length > (best?.length ?? 0)) best = shorter;
      if (size <= maxTokens && size > enough) break;
      budget *= size > maxTokens ? Math.min(0.85, (0.95 * maxTokens) / size) : (0.97 * maxTokens) / size;
    }
    return best;
  }

  value(value: JsonValue, budget: number, depth = 0): JsonValue {
    const size = this.size(value);
    if (size <= budget) return value;
    if (typeof value === 'string') return this.string(value, budget);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= MAX_DEPTH) return fill(this.labels.textLeftOut, { left: size, all: size });
    return Array.isArray(value) ? this.array(value, budget, depth) : this.object(value, budget, depth);
  }

  private size(value: JsonValue): number {
    const known = this.sizes.get(value);
    if (known !== undefined) return known;
    const size = this.tokens.count(JSON.stringify(value)) + BORDER_TOKENS;
    this.sizes.set(value, size);
    return size;
  }

  /** Its JSON form may be longer. */
  private string(text: string, budget: number): string {
    for (let room = budget - BORDER_TOKENS; room > 0; room = Math.floor(room * 0.8)) {
      const cut = this.text(text, room);
      if (this.size(cut) <= budget) return cut;
    }
    return '…';
  }

  private array(values: readonly JsonValue[], budget: number, depth: number): JsonValue[] {
    let room =
      budget - this.size(fill(this.labels.elementsLeftOut, { left: values.length, all: values.length }));
    const kept: JsonValue[] = [];
    for (const value of values) {
      const size = this.size(value);
      if (size > room) break;
      room -= size;
      kept.push(value);
    }
    const [first] = values;
    if (kept.length === 0 && first !== undefined && room > 0) kept.push(this.value(first, room, depth + 1));
    const left = values.length - kept.length;
    return left === 0 ? kept : [...kept, fill(this.labels.elementsLeftOut, { left, all: values.length })];
  }

  /** Small fields stay complete. Large ones share the rest. */
  private object(object: JsonObject, budget: number, depth: number): JsonObject {
    const fields = Object.entries(object).map(([key, value]) => {
      const keySize = this.tokens.count(JSON.stringify(key));
      return { key, value, keySize, size: keySize + this.size(value) };
    });
    let room = budget - Math.min(budget / 4, this.tokens.count('…') + MAX_NAMES / 4);
    const most = Math.max(
      LEAST_FIELD_TOKENS,
      waterLevel(
        fields.map(({ size }) => size),
        room,
      ),
    );
    const kept: [string, JsonValue][] = [];
    const left: string[] = [];
    for (const { key, value, keySize, size } of fields) {
      const share = Math.min(size, most);
      if (share > room) left.push(key);
      else {
        room -= share;
        kept.push([key, this.value(value, Math.floor(share - keySize), depth + 1)]);
      }
    }
    if (left.length > 0) kept.push(['…', fill(this.labels.fieldsLeftOut, { names: namesText(left) })]);
    return Object.fromEntries(kept);
  }
}

/** The limit for each, so that all together fit into `room`. */
function waterLevel(sizes: readonly number[], room: number): number {
  let left = room;
  const ascending = sizes.toSorted((a, b) => a - b);
  for (const [index, size] of ascending.entries()) {
    const share = left / (ascending.length - index);
    if (size > share) return share;
    left -= size;
  }
  return Infinity;
}

function namesText(names: readonly string[]): string {
  const text = singleLine(names.join(', '), MAX_NAMES);
  return text.endsWith('…') ? `${text} (${names.length})` : text;
}

/** Cuts at the end of a paragraph, line, sentence or word, in this order, if that keeps most of the text. */
function atBorder(text: string): string {
  for (const border of [/\n\s*\n/gu, /\n/gu, /[.!?…][)"'”’»]*\s|[。！？；][」』）]*/gu, /\s/gu]) {
    let end = 0;
    for (const match of text.matchAll(border)) end = match.index + match[0].length;
    if (end > text.length / 2) return text.slice(0, end).trimEnd();
  }
  return text;
}
