import type { Calendar } from '../../common/calendar.js';
import { packExcerpts } from '../../conversations/recall/excerpts.js';
import type { RecalledMessage } from '../../conversations/recall/message-recall.service.js';
import type { Memory } from '../memory.entity.js';
import {
  CONTEXT_BUDGET_TOKENS,
  type ContextItem,
  type ContextSection,
  contextSections,
  type MemoryContext,
} from './memory-context.js';
import {
  type ContextLabels,
  contextLabelsFor,
  memoryLine,
  frameOf,
  inOrder,
  renderContext,
  safeExcerpt,
} from './render-context.js';

/** A memory that may go into the context. `score` is its relevance to the message, 0 to 1. */
export interface ToTell {
  memory: Memory;
  score: number;
}

/** The candidates for a context, by section, without duplicates. Sections get room in this order. */
export interface Material {
  preferences: readonly ToTell[];
  project: ToTell | null;
  contacts: readonly ToTell[];
  facts: readonly ToTell[];
  /** The best first. */
  recalled: readonly RecalledMessage[];
}

interface ComposeOptions {
  /** BCP 47. */
  language: string;
  /** Formats the day since which a memory holds. */
  calendar: Calendar;
  /** Counts tokens. Must give the same count for the same text. */
  count(text: string): number;
}

/** Fits the material into the token budget. Items stay whole, and an earlier section never gives way to a later one. */
export function composeContext(material: Material, options: ComposeOptions): Omit<MemoryContext, 'cached'> {
  return new Composition(options).compose(material);
}

type Candidate = ContextItem & { memory: Memory };

class Composition {
  private readonly labels: ContextLabels;
  /** The most important first. */
  private items: ContextItem[] = [];
  private room: number;
  private omitted = 0;

  constructor(private readonly options: ComposeOptions) {
    this.labels = contextLabelsFor(options.language);
    this.room =
      CONTEXT_BUDGET_TOKENS - frameOf(this.labels).reduce((sum, line) => sum + this.lineTokens(line), 0);
  }

  compose({ preferences, project, contacts, facts, recalled }: Material): Omit<MemoryContext, 'cached'> {
    this.addMemories('PREFERENCE', preferences, packInOrder);
    this.addMemories('PROJECT', project ? [project] : [], packInOrder);
    this.addMemories('CONTACT', contacts, packInOrder);
    this.addMemories('FACT', facts, (items, room) => packBest(items, room, worthOf));
    this.addExcerpts(recalled);
    return this.render();
  }

  private addMemories(
    section: ContextSection,
    memories: readonly ToTell[],
    pack: (items: readonly Candidate[], room: number) => Packed<Candidate>,
  ): void {
    const candidates = memories.map(({ memory, score }): Candidate => {
      const text = memoryLine(memory, this.labels, this.options.calendar);
      return { section, memory, messages: [], text, tokens: this.lineTokens(text), score };
    });
    const { taken, left, tokens } = pack(candidates, this.roomIn(section));
    // The least important last: `dropLast` removes it first.
    this.add(section, section === 'FACT' ? taken.toSorted((a, b) => b.score - a.score) : taken, tokens);
    this.omitted += left.length;
  }

  private addExcerpts(recalled: readonly RecalledMessage[]): void {
    if (recalled.length === 0) return;
    const { excerpts, omitted } = packExcerpts(recalled, {
      budgetTokens: Math.max(0, this.roomIn('CONVERSATION')),
      count: (text) => this.lineTokens(safeExcerpt(text)),
      language: this.options.language,
    });
    const best = excerpts.reduce((most, { score }) => Math.max(most, score), 0);
    const items = excerpts.map(({ messages, text, score }): ContextItem => {
      const safe = safeExcerpt(text);
      const tokens = this.lineTokens(safe);
      return {
        section: 'CONVERSATION',
        memory: null,
        messages,
        text: safe,
        tokens,
        score: best > 0 ? score / best : 0,
      };
    });
    this.add(
      'CONVERSATION',
      items,
      items.reduce((sum, { tokens }) => sum + tokens, 0),
    );
    this.omitted += omitted;
  }

  private add(section: ContextSection, items: readonly ContextItem[], tokens: number): void {
    if (items.length === 0) return;
    this.room -= tokens + this.headingTokens(section);
    this.items.push(...items);
  }

  /** A text can have more tokens than its lines have together. Then the last items are dropped until it fits. */
  private render(): Omit<MemoryContext, 'cached'> {
    let text = renderContext(this.items, this.labels);
    let tokens = this.options.count(text);
    while (tokens > CONTEXT_BUDGET_TOKENS) {
      this.dropLast();
      text = renderContext(this.items, this.labels);
      tokens = this.options.count(text);
    }
    const items = contextSections.flatMap((section) => inOrder(this.items, section));
    return { text, tokens, budget: CONTEXT_BUDGET_TOKENS, items, omitted: this.omitted };
  }

  private dropLast(): void {
    const excerpts = this.items.filter(({ section }) => section === 'CONVERSATION');
    // Excerpts are in the order of what was said, so the least relevant one has to be looked for.
    const last = excerpts.length > 0 ? excerpts.reduce(weaker) : this.items.at(-1);
    this.items = this.items.filter((item) => item !== last);
    this.omitted += Math.max(1, last?.messages.length ?? 0);
  }

  private roomIn(section: ContextSection): number {
    return this.room - this.headingTokens(section);
  }

  private headingTokens(section: ContextSection): number {
    return this.lineTokens(this.labels.headings[section]);
  }

  private lineTokens(line: string): number {
    return this.options.count(`${line}\n`);
  }
}

/** Squared, so that two memories of half the relevance do not outweigh one. */
function worthOf({ score }: ContextItem): number {
  return Math.max(score, 0.01) ** 2;
}

function weaker(a: ContextItem, b: ContextItem): ContextItem {
  return b.score < a.score ? b : a;
}

interface Weighed {
  /** Including the line break after it. */
  tokens: number;
}

interface Packed<Item> {
  taken: Item[];
  left: Item[];
  /** The sum over `taken`. */
  tokens: number;
}

/** Takes each item that fits into the room left by those before it. */
export function packInOrder<Item extends Weighed>(items: readonly Item[], room: number): Packed<Item> {
  const packed: Packed<Item> = { taken: [], left: [], tokens: 0 };
  for (const item of items) {
    if (packed.tokens + item.tokens > room) packed.left.push(item);
    else {
      packed.taken.push(item);
      packed.tokens += item.tokens;
    }
  }
  return packed;
}

/**
 * Takes the items that are worth most together, in the order given: a long item gives way to several short ones that are
 * worth more. `worth` must give more than 0, so that nothing is left that would still fit.
 */
export function packBest<Item extends Weighed>(
  items: readonly Item[],
  room: number,
  worth: (item: Item) => number,
): Packed<Item> {
  const all = packInOrder(items, room);
  if (all.left.length === 0 || room <= 0) return all;
  const chosen = bestChoice(items, room, worth);
  const taken = items.filter((_, index) => chosen.has(index));
  return {
    taken,
    left: items.filter((_, index) => !chosen.has(index)),
    tokens: taken.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

/** The 0-1 knapsack problem, by dynamic programming over every number of tokens up to `room`. */
function bestChoice<Item extends Weighed>(
  items: readonly Item[],
  room: number,
  worth: (item: Item) => number,
): ReadonlySet<number> {
  const best = new Float64Array(room + 1);
  const takes = items.map((item) => {
    const isTaken = new Uint8Array(room + 1);
    const value = worth(item);
    for (let space = room; space >= item.tokens; space -= 1) {
      const withIt = (best[space - item.tokens] ?? 0) + value;
      if (withIt <= (best[space] ?? 0)) continue;
      best[space] = withIt;
      isTaken[space] = 1;
    }
    return isTaken;
  });
  const chosen = new Set<number>();
  let space = room;
  for (let index = items.length - 1; index >= 0; index -= 1) {
    if (takes[index]?.[space] !== 1) continue;
    chosen.add(index);
    space -= items[index]?.tokens ?? 0;
  }
  return chosen;
}
