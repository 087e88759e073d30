import type { Calendar } from '../../common/calendar.js';
import { type Wording, wordingIn } from '../../common/wording/wording.js';
import { packExcerpts } from '../../conversations/recall/excerpts.js';
import type { RecalledMessage } from '../../conversations/recall/message-recall.service.js';
import type { Memory } from '../memory.entity.js';
import {
  CONTEXT_BUDGET_TOKENS,
  type ContextItem,
  type ContextSection,
  FACT_SHARE_TOKENS,
  MEMORY_SHARE_TOKENS,
  type MemoryContext,
  RESERVED_TOKENS,
} from './memory-context.js';
import { frameOf, headingsFor, inOrder, memoryLine, renderContext, safeExcerpt } from './render-context.js';

/** A memory that may go into the context. `score` is its relevance to the message, 0 to 1. */
export interface ToTell {
  memory: Memory;
  score: number;
}

/** The candidates for a context, by section, without duplicates, the most important first. */
export interface Material {
  preferences: readonly ToTell[];
  project: ToTell | null;
  contacts: readonly ToTell[];
  /** Relevant to the message. */
  facts: readonly ToTell[];
  /** All others, or the newest of them. Included while there are few facts. */
  others: readonly ToTell[];
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

/** A section leaves RESERVED_TOKENS to each later one. Irrelevant memories take no room from others. */
export function composeContext(material: Material, options: ComposeOptions): Omit<MemoryContext, 'cached'> {
  return new Composition(options).compose(material);
}

class Composition {
  private readonly labels: Wording['memoryContext'];
  private readonly items: ContextItem[] = [];
  /** The headings that the text has so far. */
  private readonly begun = new Set<string>();
  private room: number;
  private omitted = 0;

  constructor(private readonly options: ComposeOptions) {
    this.labels = wordingIn(options.language).memoryContext;
    this.room = CONTEXT_BUDGET_TOKENS - this.countLines(frameOf(this.labels));
  }

  compose(material: Material): Omit<MemoryContext, 'cached'> {
    const { recalled } = material;
    const preferences = this.itemsOf('PREFERENCE', material.preferences);
    const named = [
      ...this.itemsOf('PROJECT', material.project ? [material.project] : []),
      ...this.itemsOf('CONTACT', material.contacts),
    ];
    const facts = this.itemsOf('FACT', material.facts);
    const others = this.itemsOf('FACT', material.others);
    const forExcerpts = this.reserveFor(this.excerptsOf(recalled, RESERVED_TOKENS).items);
    const afterNamed = this.reserveFor([...facts, ...others]) + forExcerpts;

    const left = [
      ...this.addInOrder(preferences, this.room - this.reserveFor(named) - afterNamed),
      ...this.addInOrder(named, this.room - afterNamed),
    ];
    const forFacts = Math.min(FACT_SHARE_TOKENS, this.sizeOf(facts), this.room - forExcerpts);
    const excerpts = this.excerptsOf(recalled, this.room - forFacts);
    left.push(...this.addFacts(facts, this.room - this.sizeOf(excerpts.items)));
    this.addInOrder(excerpts.items, this.room);
    // Items are whole, so some of what was reserved may be free.
    this.omitted = this.addInOrder(left, this.room).length + excerpts.omitted;
    const told = this.items.filter(({ section }) => section === 'FACT');
    const forOthers = Math.min(this.room, MEMORY_SHARE_TOKENS - this.sizeOf(told));
    this.addInOrder(others, forOthers);
    return this.render();
  }

  private itemsOf(section: ContextSection, memories: readonly ToTell[]): ContextItem[] {
    // Preferences hold until they change, and the days of facts stand above them.
    const isDated = section === 'PROJECT' || section === 'CONTACT';
    return memories.map(({ memory, score }) => {
      const day = isDated ? this.options.calendar.dayOf(memory.validFrom) : null;
      const text = memoryLine(memory, this.labels, day);
      return { section, memory, messages: [], text, tokens: this.countLines([text]), score };
    });
  }

  private excerptsOf(
    recalled: readonly RecalledMessage[],
    room: number,
  ): { items: ContextItem[]; omitted: number } {
    const { excerpts, omitted } = packExcerpts(recalled, {
      budgetTokens: Math.max(0, room - this.countLines([this.labels.headings.CONVERSATION])),
      count: (text) => this.countLines([safeExcerpt(text)]),
      language: this.options.language,
    });
    const best = excerpts.reduce((most, { score }) => Math.max(most, score), 0);
    const items = excerpts.map(({ messages, text: said, score }): ContextItem => {
      const text = safeExcerpt(said);
      const tokens = this.countLines([text]);
      return {
        section: 'CONVERSATION',
        memory: null,
        messages,
        text,
        tokens,
        score: best > 0 ? score / best : 0,
      };
    });
    return { items: items.toSorted((a, b) => b.score - a.score), omitted };
  }

  /** What is kept free for later sections: no more than they need. */
  private reserveFor(items: readonly ContextItem[]): number {
    return Math.min(RESERVED_TOKENS, this.sizeOf(items));
  }

  /** Adds each item that fits into `room`, and returns the others. */
  private addInOrder(items: readonly ContextItem[], room: number): ContextItem[] {
    const end = this.room - room;
    return items.filter((item) => {
      if (this.room - this.costOf(item, new Set(this.begun)) < end) return true;
      this.room -= this.costOf(item, this.begun);
      this.items.push(item);
      return false;
    });
  }

  /** Adds the facts with the highest total worth, the best first, and returns the others. */
  private addFacts(facts: readonly ContextItem[], room: number): ContextItem[] {
    const byScore = facts.toSorted((a, b) => b.score - a.score);
    if (this.sizeOf(facts) <= room) return this.addInOrder(byScore, room);
    const heading = this.countLines([this.labels.headings.FACT]);
    const size = (fact: ContextItem): number => this.sizeOf([fact]) - heading;
    const chosen = bestThatFit(byScore, room - heading, size, worthOf);
    return [...this.addInOrder(chosen, room), ...byScore.filter((fact) => !chosen.includes(fact))];
  }

  /** A text can have more tokens than its lines have together. Then the last items are dropped until it fits. */
  private render(): Omit<MemoryContext, 'cached'> {
    const { calendar, count } = this.options;
    for (;;) {
      const text = renderContext(this.items, this.labels, calendar);
      const tokens = count(text);
      if (tokens <= CONTEXT_BUDGET_TOKENS) {
        const items = inOrder(this.items);
        return { text, tokens, budget: CONTEXT_BUDGET_TOKENS, items, omitted: this.omitted };
      }
      this.omitted += Math.max(1, this.items.pop()?.messages.length ?? 0);
    }
  }

  /** The size of items and their headings in a text without others. */
  private sizeOf(items: readonly ContextItem[]): number {
    const begun = new Set<string>();
    return items.reduce((sum, item) => sum + this.costOf(item, begun), 0);
  }

  /** The tokens of an item with its headings that are not in `begun`, to which it adds them. */
  private costOf(item: ContextItem, begun: Set<string>): number {
    return item.tokens + this.countLines(headingsFor(item, begun, this.labels, this.options.calendar));
  }

  private countLines(lines: readonly string[]): number {
    return lines.reduce((sum, line) => sum + this.options.count(`${line}\n`), 0);
  }
}

/** Squared, so that two memories of half the relevance do not outweigh one. */
function worthOf({ score }: ContextItem): number {
  return Math.max(score, 0.01) ** 2;
}

/** In the order given. The 0-1 knapsack problem, by dynamic programming over tokens; `worth` is more than 0. */
export function bestThatFit<Item>(
  items: readonly Item[],
  room: number,
  size: (item: Item) => number,
  worth: (item: Item) => number,
): Item[] {
  if (room <= 0) return [];
  const sizes = items.map(size);
  const best = new Float64Array(room + 1);
  const takes = items.map((item, index) => {
    const isTaken = new Uint8Array(room + 1);
    const value = worth(item);
    const tokens = sizes[index] ?? 0;
    for (let space = room; space >= tokens; space -= 1) {
      const withIt = (best[space - tokens] ?? 0) + value;
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
    space -= sizes[index] ?? 0;
  }
  return items.filter((_, index) => chosen.has(index));
}
