import type { JsonObject } from '../../common/json.js';
import type { ToolSpec } from '../../llm/chat-model.js';
import { parseArguments } from '../../skills/skill-arguments.js';
import type { TurnEntry } from '../../turns/turn-event.js';
import type { SkillOutcome, SkillPort } from './agent-ports.js';
import type { AgentTurn, MadeCall } from './agent-turn.js';

export type Carry = (input: JsonObject, signal: AbortSignal) => Promise<SkillOutcome>;

export const succeeded = (result: string): SkillOutcome => ({
  status: 'SUCCEEDED',
  result,
  preview: `of ${result}`,
});

/** Skills in memory, for tests: each is a function, and may be switched off while a turn runs. */
export class ScriptedSkills implements SkillPort {
  /** What was carried out, in the order in which it was begun. */
  readonly called: { callId: string; key: string }[] = [];
  readonly off = new Set<string>();
  /** Those that may not be carried out again. */
  readonly once = new Set<string>();
  private ids = 0;

  constructor(private readonly skills: Record<string, Carry>) {}

  list(): Promise<ToolSpec[]> {
    const on = Object.keys(this.skills).filter((name) => !this.off.has(name));
    return Promise.resolve(
      on.map((name) => ({ name, description: `Does ${name}.`, parameters: { type: 'object' } })),
    );
  }

  async call(
    { callId, key, arguments: text }: { callId: string; key: string; arguments: string },
    signal: AbortSignal,
  ): Promise<SkillOutcome> {
    this.called.push({ callId, key });
    const carry = this.skills[key];
    if (!carry) return { status: 'FAILED', result: '{"error":"unknown"}', preview: 'unknown' };
    return carry(this.read(text), signal);
  }

  isRepeatable(key: string): boolean {
    return !this.once.has(key);
  }

  read(argumentsText: string): JsonObject {
    return parseArguments(argumentsText) ?? {};
  }

  newCallId(): string {
    return `call-${(this.ids += 1)}`;
  }
}

/** A turn that asks how much, of a company about which nothing is known. */
export const scriptedTurn = (maxSteps: number, made: readonly MadeCall[] = []): AgentTurn => ({
  model: null,
  budget: { maxSteps, maxOutputTokens: 100 },
  prompt: {
    template: '{skill}',
    language: 'en',
    today: new Date(0),
    member: { name: 'Awa' },
    company: {
      name: 'Nord',
      sector: null,
      country: null,
      city: null,
      headcount: null,
      revenueAmount: null,
      revenueCurrency: null,
      environmentalPractices: [],
      declaredGoals: [],
      attributes: {},
    },
    summary: null,
    history: [],
    question: 'How much?',
  },
  made,
});

/** What a part of the loop told, and how it came out. */
export interface Played<T> {
  entries: TurnEntry[];
  /** Null: it rejected, with `error`. */
  result: T | null;
  error: unknown;
}

/** Plays to the end, whatever that is; `onEntry` looks on. */
export const play = async <T>(
  loop: AsyncGenerator<TurnEntry, T>,
  onEntry: (entry: TurnEntry) => void = () => undefined,
): Promise<Played<T>> => {
  const entries: TurnEntry[] = [];
  try {
    for (;;) {
      const next = await loop.next();
      if (next.done) return { entries, result: next.value, error: null };
      entries.push(next.value);
      onEntry(next.value);
    }
  } catch (error) {
    return { entries, result: null, error };
  }
};
