import type { ChatMessage, ChatModel, ChatPart, TextSink } from '@palabre/llm-client';
import type { JsonObject } from '@palabre/json';

import { ManualClock } from '../../common/manual-clock.double.js';
import { shownArguments } from '../../skills/skill-arguments.js';
import { readsOwn, type SkillEffect, SkillError } from '../../skills/skill.js';
import type { TurnEntry } from '../../conversations/turns/turn-event.js';
import type {
  AgentPorts,
  InputOfCall,
  LoadedPack,
  MemoryPort,
  ModelCallRecord,
  ModelPort,
  NamedRequest,
  PackSummary,
  SkillFacts,
  SkillOffer,
  SkillOutcome,
  SkillPort,
  SkillRequest,
  TokenCounter,
  UsableModel,
} from './agent-ports.js';
import type { AgentResult, AgentTurn, MadeCall } from './agent-turn.js';

export type Carry = (
  input: JsonObject,
  signal: AbortSignal,
  progress: (detail: string) => void,
) => Promise<SkillOutcome>;

/** Instructions in memory, for tests. */
export interface ScriptedPack extends PackSummary {
  instructions: string;
  files: Record<string, string>;
}

export function scriptedPack(
  key: string,
  instructions: string,
  files: Record<string, string> = {},
): ScriptedPack {
  return {
    key,
    name: key,
    description: `Tells how to do ${key}.`,
    category: key.includes('/') ? (key.split('/')[0] ?? null) : null,
    version: '1',
    hasFiles: Object.keys(files).length > 0,
    instructions,
    files,
  };
}

export function succeeded(result: string): SkillOutcome {
  return {
    status: 'SUCCEEDED',
    result,
    preview: `of ${result}`,
  };
}

/** Skills in memory, for tests: each is a function, and may be switched off while a turn runs. */
export class ScriptedSkills implements SkillPort {
  /** The executed calls, in order of their start. */
  readonly called: { callId: string; key: string }[] = [];
  /** The requested packs, in order. */
  readonly loaded: string[] = [];
  readonly off = new Set<string>();
  /** Skills that must not be repeated. */
  readonly once = new Set<string>();
  /** Faults of arguments, by skill. */
  readonly faults = new Map<string, (input: JsonObject) => string | null>();
  /** Skills that need approval. */
  readonly guarded = new Set<string>();
  /** Skills without approval by an admin's decision. */
  readonly free = new Set<string>();
  /** Effects of skills. Default: they read data of the product. */
  readonly effects = new Map<string, SkillEffect>();
  /** Inputs instead of execution, by skill. */
  readonly inputs = new Map<string, InputOfCall>();
  private readonly skills: Record<string, Carry>;
  private ids = 0;

  constructor(
    skills: Record<string, Carry>,
    private readonly packs: readonly ScriptedPack[] = [],
  ) {
    this.skills = { ...skills };
  }

  add(skills: Record<string, Carry>): void {
    Object.assign(this.skills, skills);
  }

  list(): Promise<SkillOffer> {
    const on = Object.keys(this.skills).filter((name) => !this.off.has(name));
    return Promise.resolve({
      tools: on.map((name) => ({ name, description: `Does ${name}.`, parameters: { type: 'object' } })),
      packs: this.packsOn.map(({ instructions: _instructions, files: _files, ...summary }) => summary),
    });
  }

  async call(
    { callId, key, arguments: text }: SkillRequest,
    signal: AbortSignal,
    progress: (detail: string) => void,
  ): Promise<SkillOutcome> {
    this.called.push({ callId, key });
    const carry = this.skills[key];
    if (!carry) return { status: 'FAILED', result: '{"error":"unknown"}', preview: 'unknown' };
    return carry(shownArguments(text), signal, progress);
  }

  loadPack(key: string, signal: AbortSignal): Promise<LoadedPack | null> {
    signal.throwIfAborted();
    this.loaded.push(key);
    const pack = this.packsOn.find((one) => one.key === key);
    return Promise.resolve(
      pack
        ? {
            instructions: pack.instructions,
            files: Object.keys(pack.files).toSorted(),
            version: pack.version,
          }
        : null,
    );
  }

  readPackFile(key: string, path: string, signal: AbortSignal): Promise<string | null> {
    signal.throwIfAborted();
    const pack = this.packsOn.find((one) => one.key === key);
    if (!pack) return Promise.resolve(null);
    const text = pack.files[path];
    return text === undefined
      ? Promise.reject(new SkillError(`There is no file ${path}.`))
      : Promise.resolve(text);
  }

  factsOf(key: string): SkillFacts {
    const isOffered = key in this.skills && !this.off.has(key);
    const required = this.guarded.has(key) ? true : this.free.has(key) ? false : null;
    return {
      isRepeatable: !this.once.has(key),
      input: this.inputs.get(key) ?? null,
      approval: isOffered ? { required, askerMayApprove: true } : null,
      effect: key in this.skills ? (this.effects.get(key) ?? readsOwn) : null,
    };
  }

  faultIn(key: string, argumentsText: string): string | null {
    return this.faults.get(key)?.(shownArguments(argumentsText)) ?? null;
  }

  private get packsOn(): readonly ScriptedPack[] {
    return this.packs.filter(({ key }) => !this.off.has(key));
  }

  newCallId(): string {
    return `call-${String((this.ids += 1)).padStart(3, '0')}`;
  }
}

/** The models of a turn, all played by one. An object, so that it can be spread. */
export class ScriptedModels implements ModelPort {
  readonly records: ModelCallRecord[] = [];
  readonly candidates: readonly string[];
  private readonly windowTokens: number;
  private readonly isCaching: boolean;

  constructor(
    private readonly model: ChatModel,
    { candidates = ['first'], windowTokens = 128_000, isCaching = false } = {},
  ) {
    this.isCaching = isCaching;
    this.candidates = candidates;
    this.windowTokens = windowTokens;
  }

  readonly abilitiesOf = (): UsableModel => ({
    windowTokens: this.windowTokens,
    caches: this.isCaching,
    sees: true,
    keepsToSchema: false,
  });

  readonly stream = (request: NamedRequest, signal: AbortSignal): AsyncIterable<ChatPart> => {
    const { purpose: _purpose, ...sent } = request;
    return this.model.stream(sent, signal);
  };

  readonly record = (call: ModelCallRecord): void => void this.records.push(call);
}

/** Four characters a token. */
export const roughTokens: TokenCounter = {
  count: (text) => Math.ceil(text.length / 4),
  cut: (text, maxTokens) => text.slice(0, 4 * maxTokens).replace(/[\uD800-\uDBFF]$/, ''),
};

const noMemory: MemoryPort = {
  prepare: () => undefined,
  read: () => Promise.resolve(''),
};

/** All text comes as entries. */
const noSink: TextSink = { isReady: false, take: () => undefined };

/** A clock that is past every pause at once. */
export class HastyClock extends ManualClock {
  readonly pauses: number[] = [];

  override async pause(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.pauses.push(ms);
    this.advance(ms);
  }
}

/** Ports for tests. Missing ones are empty or do nothing. */
export function scriptedPorts({ model, ...ports }: Partial<AgentPorts> & { model: ChatModel }): AgentPorts {
  return {
    models: new ScriptedModels(model),
    skills: new ScriptedSkills({}),
    memory: noMemory,
    text: noSink,
    tokens: roughTokens,
    thread: { inTurn: (_characters, work) => Promise.resolve(work()) },
    clock: new ManualClock(),
    ...ports,
  };
}

/** An end with an answer without citations. */
export function ended(finishReason: Extract<AgentResult, { type: 'done' }>['finishReason']): AgentResult {
  return {
    type: 'done',
    finishReason,
    citations: [],
  };
}

/** A turn with the question "how much", of an unknown company. */
export function scriptedTurn(maxSteps: number, made: readonly MadeCall[] = []): AgentTurn {
  return {
    strategy: 'REACTIVE',
    retrieval: 'FORCED',
    answerSchema: null,
    showsReasoning: false,
    documents: { areThere: false, asked: [] },
    foreignTextPolicy: 'ASK',
    backgroundAt: null,
    phaseBeganMs: new ManualClock().elapsedMs(),
    budget: { maxSteps, maxSeconds: 120, maxOutputTokens: 100 },
    background: { maxSteps: 4, maxSeconds: 900 },
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
    decided: [],
    answered: [],
  };
}

/** The entries and the outcome of a part of the loop. */
export interface Played<T> {
  entries: TurnEntry[];
  /** Null: it rejected, with `error`. */
  result: T | null;
  error: unknown;
}

/** Plays to the end. `onEntry` observes. */
export async function play<T>(
  loop: AsyncGenerator<TurnEntry, T>,
  onEntry: (entry: TurnEntry) => void = () => undefined,
): Promise<Played<T>> {
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
}

/** The result in a tool message, without its marks and a following note. */
export function resultIn(content: string): string {
  return /^<result skill="[\w-]+">\n([^]*)\n<\/result>(?:\n\n[^]*)?$/.exec(content)?.[1] ?? content;
}

/** Only the steps of an outcome. */
export function withSteps<Steps>({ result, ...outcome }: Played<{ steps: Steps }>): Played<Steps> {
  return { ...outcome, result: result && result.steps };
}

/** The implied fields of an approval's answer. */
export const approval = { kind: 'APPROVAL', comment: null, given: null, request: null } as const;

/** Ids, in order, of calls without a directly following answer, and of results without a call. */
export function unpairedIn(messages: readonly ChatMessage[]): string[] {
  const alone: string[] = [];
  let awaited: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool' && message.toolCallId === awaited[0]) awaited.shift();
    else if (message.role === 'tool') alone.push(message.toolCallId);
    else {
      alone.push(...awaited);
      awaited = message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [];
    }
  }
  return [...alone, ...awaited];
}
