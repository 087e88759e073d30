import { MarkedMessage, type Said } from './marked-message.js';
import { measuresIn } from './measures.js';
import { isTime } from './names.js';
import { numberIn } from './numbers.js';
import { openingOf } from './prose.js';
import type { Schema, Tool } from './protocol.js';
import { type Slots, slotsOf } from './tool-slots.js';
import type { Phrases, Token } from './tokens.js';
import { pasts, leaders, pointers, politeness, WordSet } from './vocabulary.js';

/** A tool call that covers the whole message. */
export interface Reading {
  arguments: Record<string, unknown>;
  /** How well the message names the tool. */
  score: number;
  hasNumbers: boolean;
}

/** Words of the message without a parameter of the named tool. */
export interface Gap {
  unread: string[];
  score: number;
  hasNumbers: boolean;
}

/**
 * Reads a message as a call of one tool. Every word must be part of the tool's name, a value of a parameter, or filler;
 * every number must fit the schema. Anything else is a gap, and the tool is not called: a half-understood sentence may
 * mean the opposite. Null: the message does not name the tool.
 */
export class ToolReader {
  private readonly slots: Slots;
  private readonly name: readonly WordSet[];
  private readonly description: WordSet;

  constructor(readonly tool: Tool) {
    this.slots = slotsOf(tool);
    this.name = tool.name.split(/[_.-]+/).map((word) => new WordSet(word));
    this.description = new WordSet(`${tool.name} ${affirmative(tool.description)}`);
  }

  read(message: Said): Reading | Gap | null {
    const pass = new Pass(message, this.slots, this.name, this.description);
    const { named } = pass;
    if (!pass.isNamed()) return null;
    pass.takeText();
    pass.takeValues();
    pass.takeRest();
    const score = 2 * named.size + Object.keys(pass.arguments).length;
    const unread = pass.unread();
    if (unread.length > 0 || !isFilled(this.tool.parameters, pass.arguments) || !pass.isAsked())
      return { unread, score, hasNumbers: pass.hasNumbers };
    return { arguments: pass.arguments, score, hasNumbers: pass.hasNumbers };
  }
}

/** Negative sentences of a description name other tools, so they are dropped. */
function affirmative(description: string): string {
  return description
    .split(/(?<=[.;])\s+/)
    .filter((sentence) => !/\b(?:not|never|no|nothing)\b/i.test(sentence))
    .join(' ');
}

function isFilled({ required = [], minProperties = 0 }: Schema, given: object): boolean {
  return required.every((key) => key in given) && Object.keys(given).length >= minProperties;
}

/** Reads one message as a call of one tool. */
class Pass {
  readonly arguments: Record<string, unknown> = {};
  /** Indexes of the words of the tool's name that were said. */
  readonly named = new Set<number>();
  hasNumbers = false;
  private readonly message: MarkedMessage;
  private readonly tokens: readonly Token[];

  constructor(
    private readonly said: Said,
    private readonly slots: Slots,
    private readonly name: readonly WordSet[],
    private readonly description: WordSet,
  ) {
    this.message = new MarkedMessage(said);
    this.tokens = said.tokens;
    for (const at of this.tokens.keys()) {
      for (const index of this.namesAt(at).indices) this.named.add(index);
    }
  }

  /**
   * Whether the message names the tool: its verb and half of its words, or two words, or one word and a quantity or
   * an address, or a value of several words. A verb in the past is not a request.
   */
  isNamed(): boolean {
    const { named, name, slots, tokens } = this;
    const verb = this.tokens.findIndex((_, at) => this.namesAt(at).indices.includes(0));
    if ([...tokens.keys()].some((at) => at < verb && at >= verb - NEAR && pasts.lengthAt(tokens, at) > 0))
      return false;
    if (named.size >= 2 || (named.has(0) && 2 * named.size >= name.length)) return true;
    if (slots.measure?.kind && named.size > 0) return tokens.some(({ kind }) => kind === 'number');
    if (slots.address !== null && named.size > 0) return tokens.some(isLink);
    return slots.enums.some(({ names }) =>
      this.message.spansOf(names).some(({ start, end }) => end - start > 1),
    );
  }

  /**
   * Whether the message asks for the tool: by its verb, or by a value of a characteristic parameter. Otherwise a word
   * may just be a noun.
   */
  isAsked(): boolean {
    const { slots, named } = this;
    const properties = [
      slots.measure?.property,
      slots.ownWords,
      ...slots.enums.map(({ property }) => property),
    ];
    return (
      named.has(0) || slots.isBare || properties.some((property) => property && property in this.arguments)
    );
  }

  /** Takes everything after the request, verbatim. */
  takeText(): void {
    const { text, labels } = this.slots;
    if (!text || (this.said.isQuestion && !text.takesQuestion)) return;
    const head = this.headLength();
    // An address is not a name.
    if (head === 0 || (labels.length === 0 && this.tokens.some(isLink))) return;
    const last = this.tokens.findLastIndex(({ text: sign }) => !SENTENCE_END.test(sign));
    const all = { start: this.startBehind(head), end: last + 1 };
    const isSaid = this.tokens.some(
      ({ kind }, at) =>
        at >= all.start &&
        kind !== 'stop' &&
        this.message.glueAt(at) === 0 &&
        pointers.lengthAt(this.tokens, at) === 0 &&
        this.namesAt(at).length === 0,
    );
    if (!isSaid) return;
    const words = this.message.wordsOf(all);
    this.arguments[text.property] = words;
    for (const label of labels)
      this.arguments[label] = openingOf(words.split(CLAUSE_END, 1)[0] ?? '', MAX_LABEL_CHARACTERS);
    this.message.take({ start: head, end: this.tokens.length });
  }

  /** The length of the beginning that only names the tool. */
  private headLength(): number {
    let head = 0;
    for (let at = 0; at < this.tokens.length;) {
      const named = this.namesAt(at).length;
      const length =
        named || politeness.lengthAt(this.tokens, at) || (this.tokens[at]?.kind === 'stop' ? 1 : 0);
      if (length === 0) break;
      at += length;
      if (named > 0) head = at;
    }
    return head;
  }

  /** The position after the words that introduce the text. */
  private startBehind(head: number): number {
    let start = head;
    while (start < this.tokens.length) {
      const length =
        this.tokens[start]?.kind === 'stop'
          ? 1
          : leaders.lengthAt(this.tokens, start) || this.namesAt(start).length;
      if (length === 0) break;
      start += length;
    }
    return start;
  }

  takeValues(): void {
    const { slots, message } = this;
    const measures = measuresIn(message, slots);
    if (measures) {
      this.arguments[measures.property] = measures.value;
      for (const span of measures.spans) message.take(span);
      this.hasNumbers = true;
    }
    for (const { property, names, usual } of slots.enums) {
      this.takeOne(property, names);
      if (usual !== null) this.arguments[property] ??= usual;
    }
    if (slots.country) this.takeOne(slots.country.property, slots.country.names);
    const [link, ...others] = [...this.tokens.keys()].filter((at) => isLink(this.tokens[at]));
    if (slots.address !== null && link !== undefined && others.length === 0) {
      this.arguments[slots.address] = this.tokens[link]?.text;
      message.take({ start: link, end: link + 1 });
    }
    this.takeCounts();
    this.takePeriod();
  }

  /** Takes a value if the message names exactly one. */
  private takeOne(property: string, names: Phrases<string>): void {
    const found = this.message.spansOf(names);
    const [value, ...others] = new Set(found.flatMap(({ values }) => [...values]));
    if (value === undefined || others.length > 0) return;
    this.arguments[property] = value;
    for (const span of found) if (this.namesAt(span.start).length === 0) this.message.take(span);
  }

  /** Takes a number directly before the noun that a single parameter counts. */
  private takeCounts(): void {
    for (const [at, { kind, text }] of this.tokens.entries()) {
      if (kind !== 'number' || this.message.isTaken(at) || this.message.glueAt(at + 1) > 0) continue;
      const value = numberIn(text, this.said.language);
      const fitting = this.slots.counts
        .map(({ property, words }) => ({ property, length: words.at(this.tokens, at + 1) }))
        .filter(({ length }) => length > 0);
      const [only, ...others] = fitting;
      if (value === null || !only || others.length > 0 || only.property in this.arguments) continue;
      this.arguments[only.property] = value;
      this.message.take({ start: at, end: at + 1 + only.length });
      this.hasNumbers = true;
    }
  }

  /** Takes a single year, or a rate such as "a month". */
  private takePeriod(): void {
    const { period } = this.slots;
    if (period === null) return;
    const spans = this.tokens.flatMap(({ kind, text }, at) => {
      const isYear = kind === 'number' && /^(?:19|20)\d\d$/.test(text);
      const isRate = isTime(text) && this.message.glueAt(at) === 0;
      if (this.message.isTaken(at) || (!isYear && !isRate)) return [];
      return [{ start: isRate && this.message.glueAt(at - 1) > 0 ? at - 1 : at, end: at + 1 }];
    });
    const [span, ...others] = spans;
    if (!span || others.length > 0) return;
    // Beside several quantities, the year could belong to one of them.
    const figures = [...this.tokens.keys()].filter(
      (at) => this.message.isTaken(at) && this.tokens[at]?.kind === 'number',
    );
    if (figures.some((at) => at < span.start) && figures.some((at) => at > span.start)) return;
    this.arguments[period] = this.message.wordsOf(span);
    this.message.take(span);
  }

  /** Takes unused words, from the first to the last, for a parameter of the user's own words. */
  takeRest(): void {
    const { ownWords } = this.slots;
    if (ownWords === null) return;
    const left = [...this.tokens.keys()].filter((at) => !this.isRead(at));
    const [first, last] = [left[0], left.at(-1)];
    const named = this.tokens.findIndex((_, at) => this.namesAt(at).length > 0);
    if (first === undefined || last === undefined || first < named) return;
    if (this.tokens.slice(first, last + 1).some(({ kind }) => kind === 'number')) return;
    let start = first;
    while (start > 0 && this.isOwnWord(start - 1)) start -= 1;
    this.arguments[ownWords] = this.message.wordsOf({ start, end: last + 1 });
    this.message.take({ start: first, end: last + 1 });
  }

  private isOwnWord(at: number): boolean {
    return (
      !this.message.isTaken(at) && this.message.glueAt(at) === 0 && this.description.at(this.tokens, at) > 0
    );
  }

  /** The words that were not understood, in order. */
  unread(): string[] {
    const left = this.tokens.filter((_, at) => !this.isRead(at));
    const begins = left.filter(({ start }) => left.every(({ end }) => end !== start));
    return begins.map(({ start }) => {
      let { end } = left.find((token) => token.start === start) ?? { end: start };
      for (const token of left) if (token.start === end) end = token.end;
      return this.said.text.slice(start, end);
    });
  }

  /** Figures are used only if all other words are understood. */
  private isRead(at: number): boolean {
    if (this.message.isTaken(at)) return true;
    if (this.isWithin((from) => this.message.glueAt(from), at)) return true;
    if (this.tokens[at]?.kind !== 'word') return false;
    if (this.hasNumbers) return this.isWithin((from) => this.namesAt(from).length, at);
    return this.isWithin((from) => this.description.at(this.tokens, from), at);
  }

  /** Whether a phrase covers the token. */
  private isWithin(lengthAt: (from: number) => number, at: number): boolean {
    for (let from = Math.max(0, at - 4); from <= at; from += 1) if (from + lengthAt(from) > at) return true;
    return false;
  }

  private namesAt(at: number): { length: number; indices: number[] } {
    // Only the verb must match exactly: another form may say something else, as "generated" does.
    const lengths = this.name.map((word, index) => word.at(this.tokens, at, index > 0));
    const length = Math.max(0, ...lengths);
    return {
      length,
      indices: [...lengths.keys()].filter((index) => length > 0 && lengths[index] === length),
    };
  }
}

const MAX_LABEL_CHARACTERS = 60;
/** The maximum distance between a verb and the word that puts it into the past. */
const NEAR = 3;
const SENTENCE_END = /^[.?!。？！]$/;
const CLAUSE_END = /[,;:，；：。]/u;

function isLink(token: Token | undefined): boolean {
  return /^https?:/.test(token?.text ?? '');
}
