import type { Calendar } from '../common/calendar.js';
import { packExcerpts } from '../conversations/recall/excerpts.js';
import type { RecalledMessage } from '../conversations/recall/message-recall.service.js';
import type { Memory } from '../memory/memory.entity.js';
import {
  CONTEXT_BUDGET_TOKENS,
  type ContextItem,
  type ContextSection,
  contextSections,
  type MemoryContext,
} from './memory-context.js';
import { type ContextLabels, contextLabelsFor } from './text/context-labels.js';
import { memoryLine } from './text/memory-line.js';
import { packBest, type Packed, packInOrder } from './text/pack.js';
import { frameOf, inOrder, renderContext, safeExcerpt } from './text/render-context.js';

/** A memory that is to be told. `score`: how much it bears on the message, 0 to 1. */
export interface ToTell {
  memory: Memory;
  score: number;
}

/** All that there is to be told, each section in the order in which it gets room, and nothing of it twice. */
export interface Material {
  preferences: readonly ToTell[];
  project: ToTell | null;
  contacts: readonly ToTell[];
  facts: readonly ToTell[];
  /** The best first. */
  recalled: readonly RecalledMessage[];
}

export interface ComposeOptions {
  /** BCP 47. */
  language: string;
  /** Tells since which day something is known. */
  calendar: Calendar;
  /** In tokens; the same for the same text. */
  count(text: string): number;
}

/** A context of the material: within the budget, whole items, what comes first never left out for what comes after it. */
export const composeContext = (material: Material, options: ComposeOptions): Omit<MemoryContext, 'cached'> =>
  new Composition(options).of(material);

type Candidate = ContextItem & { memory: Memory };

class Composition {
  private readonly labels: ContextLabels;
  /** In the order of their importance. */
  private items: ContextItem[] = [];
  private room: number;
  private omitted = 0;

  constructor(private readonly options: ComposeOptions) {
    this.labels = contextLabelsFor(options.language);
    this.room =
      CONTEXT_BUDGET_TOKENS - frameOf(this.labels).reduce((sum, line) => sum + this.lineTokens(line), 0);
  }

  of({ preferences, project, contacts, facts, recalled }: Material): Omit<MemoryContext, 'cached'> {
    this.tell('PREFERENCE', preferences, packInOrder);
    this.tell('PROJECT', project ? [project] : [], packInOrder);
    this.tell('CONTACT', contacts, packInOrder);
    this.tell('FACT', facts, (items, room) => packBest(items, room, worthOf));
    this.tellExcerpts(recalled);
    return this.whole();
  }

  private tell(
    section: ContextSection,
    memories: readonly ToTell[],
    pack: (items: readonly Candidate[], room: number) => Packed<Candidate>,
  ): void {
    const candidates = memories.map(({ memory, score }): Candidate => {
      const text = memoryLine(memory, this.labels, this.options.calendar);
      return { section, memory, messages: [], text, tokens: this.lineTokens(text), score };
    });
    const { taken, left, tokens } = pack(candidates, this.roomIn(section));
    // The least important last: it would be the first to go.
    this.add(section, section === 'FACT' ? taken.toSorted((a, b) => b.score - a.score) : taken, tokens);
    this.omitted += left.length;
  }

  private tellExcerpts(recalled: readonly RecalledMessage[]): void {
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

  /** A text can be more tokens than its lines together: then it gives up its last until it is not. */
  private whole(): Omit<MemoryContext, 'cached'> {
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
    // They stand in the order of what was said.
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

/** Two that bear half as much on it do not outweigh one that is about nothing else. */
const worthOf = ({ score }: ContextItem): number => Math.max(score, 0.01) ** 2;

const weaker = (a: ContextItem, b: ContextItem): ContextItem => (b.score < a.score ? b : a);
