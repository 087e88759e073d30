import fc from 'fast-check';
import type { ChatRequest } from '@palabre/llm-client';
import {
  finish,
  ScriptedChatModel,
  type ScriptedReply,
  type ScriptStep,
  text,
  toolCall,
} from '@palabre/llm-client/scripted-chat-model.double.js';

import { wordingIn } from '../../common/wording/wording.js';
import { noUsage, type TurnEntry, type Usage } from '../../conversations/turns/turn-event.js';
import type { SkillOutcome } from './agent-ports.js';
import type { AgentResult, MadeCall } from './agent-turn.js';
import { reactive } from './reactive.js';
import { resultIn, scriptedPorts, ScriptedSkills, scriptedTurn, succeeded } from './scripted-turn.double.js';
import { shownIn } from '../../conversations/turns/log/turn-entries.double.js';

/** `again` may be repeated, `once` may not. */
const skillKeys = ['again', 'once'] as const;

const preamble = fc.array(fc.constantFrom('So. ', 'I look. ', '…'), { maxLength: 2 });

const plan = fc.record({
  steps: fc.array(
    fc.record({
      preamble,
      calls: fc.array(fc.constantFrom(...skillKeys), { minLength: 1, maxLength: 3 }),
    }),
    { maxLength: 4 },
  ),
  maxSteps: fc.integer({ min: 1, max: 4 }),
  /** For each process that dies: what was stored, and what it sent without storing. */
  deaths: fc.array(fc.record({ stored: fc.nat({ max: 14 }), lost: fc.nat({ max: 4 }) }), { maxLength: 4 }),
});

type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;
type Death = Plan['deaths'][number];

const DEAD = new Error('The process is dead.');

const ANSWER = ['It is ', '42.'];

/** A turn's rows, as its entries make them. */
class Rows {
  readonly entries: TurnEntry[] = [];
  readonly calls: MadeCall[] = [];
  usage: Usage = noUsage;

  constructor(entries: readonly TurnEntry[] = []) {
    for (const entry of entries) this.store(entry);
  }

  store(entry: TurnEntry): void {
    this.entries.push(entry);
    if (entry.type === 'skill-started') {
      const { callId, skill, asked } = entry;
      this.calls.push({ callId, skill, asked, status: 'RUNNING', result: null, startedAt: new Date(0) });
      this.usage = entry.usage;
    } else if (entry.type === 'skill-finished') {
      const call = this.calls.find(({ callId }) => callId === entry.callId)!;
      Object.assign(call, { status: entry.callStatus, result: entry.result });
    }
  }

  of<Type extends TurnEntry['type']>(type: Type): Extract<TurnEntry, { type: Type }>[] {
    return this.entries.filter((entry) => entry.type === type) as Extract<TurnEntry, { type: Type }>[];
  }
}

/** A turn over all its owners, with the state that they share. */
class Turn {
  readonly rows = new Rows();
  /** The arguments of each executed `once`, by its place in the plan. */
  readonly carriedOut: string[] = [];
  readonly skills: ScriptedSkills;
  finishReason: string | null = null;
  usage: Usage = noUsage;
  /** Entries of the current process, stored or not. */
  private told = new Rows();
  private isStoredUpTo = Infinity;
  private results = 0;

  constructor(private readonly plan: Plan) {
    this.skills = new ScriptedSkills({
      again: () => this.result(),
      once: ({ place }) => this.onlyOnce(String(place)),
    });
    this.skills.once.add('once');
  }

  /** Runs the turn until the process dies or the turn ends. */
  async run(death: Death | null): Promise<void> {
    const made = structuredClone(this.rows.calls);
    this.told = new Rows(this.rows.entries);
    this.isStoredUpTo = this.rows.entries.length + (death ? death.stored : Infinity);
    this.usage = { ...this.rows.usage };
    const process = new AbortController();
    const model = new ScriptedChatModel((request) => this.reply(request));
    const ports = scriptedPorts({ model, skills: this.skills });
    const loop = reactive(ports, scriptedTurn(this.plan.maxSteps, made), this.usage, process.signal);
    const most = death ? death.stored + death.lost : Infinity;
    try {
      for (let count = 0; count < most; count += 1) {
        const next = await loop.next();
        if (next.done) return this.end(next.value);
        this.told.store(next.value);
        if (this.isStored) this.rows.store(next.value);
      }
    } catch (error) {
      if (error !== DEAD) throw error;
    } finally {
      process.abort(DEAD);
    }
  }

  private get isStored(): boolean {
    return this.told.entries.length <= this.isStoredUpTo;
  }

  private end(result: AgentResult): void {
    if (this.isStored && result.type === 'done') this.finishReason = result.finishReason;
  }

  /** The withdrawal by the next owner's claim. */
  withdraw(): void {
    this.rows.store({ type: 'text-reset', cause: 'RETRIED' });
  }

  private reply(request: ChatRequest): ScriptedReply {
    checkRequest(request, this.told.calls);
    const step = request.messages.filter(({ role }) => role === 'assistant').length;
    const planned = request.tools.length > 0 ? this.plan.steps[step] : undefined;
    if (!planned) return [...ANSWER.map(text), finish()];
    // Providers' ids may be the same in every step.
    const calls = planned.calls.map((key, index): ScriptStep =>
      toolCall(key, { place: `${step}.${index}` }, `call_${index}`),
    );
    return [...planned.preamble.map(text), ...calls, finish()];
  }

  private result(): Promise<SkillOutcome> {
    this.results += 1;
    return Promise.resolve(succeeded(`result ${this.results}`));
  }

  private async onlyOnce(place: string): Promise<SkillOutcome> {
    // As the port promises, waits until the request is stored, which a dying process does not reach.
    if (!this.isStored) throw DEAD;
    this.carriedOut.push(place);
    return this.result();
  }
}

/** The model sees each call once, with its outcome, in order of asking. */
function checkRequest({ messages }: ChatRequest, calls: readonly MadeCall[]): void {
  const unknown = JSON.stringify({ error: wordingIn('en').prompt.unknownOutcome });
  const asked = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []) : [],
  );
  const answered = messages.filter((message) => message.role === 'tool');
  expect(asked.map((call) => call.arguments)).toEqual(calls.map((call) => call.asked.modelArguments));
  const told = answered.map(({ content }) => resultIn(content));
  expect(told).toEqual(calls.map(({ result }) => result ?? unknown));
  expect(answered.map(({ toolCallId }) => toolCallId)).toEqual(asked.map(({ id }) => id));
}

function checkCalls({ rows, carriedOut }: Turn): void {
  const started = rows.of('skill-started').map(({ callId }) => callId);
  const finished = rows.of('skill-finished').map(({ callId }) => callId);
  expect(new Set(started).size).toBe(started.length);
  // Each exactly once, by one process after the other, in order of asking.
  expect(finished).toEqual(started);
  for (const callId of started) {
    const at = (type: TurnEntry['type']): number =>
      rows.entries.findIndex((entry) => entry.type === type && 'callId' in entry && entry.callId === callId);
    expect(at('skill-started')).toBeLessThan(at('skill-finished'));
  }
  for (const { skill, callStatus } of rows.of('skill-finished')) {
    expect(skill === 'again' ? ['SUCCEEDED'] : ['SUCCEEDED', 'UNKNOWN']).toContain(callStatus);
  }
  expect(new Set(carriedOut).size).toBe(carriedOut.length);
}

function checkSteps({ rows, plan: { steps, maxSteps } }: { rows: Rows; plan: Plan }): void {
  const places = rows.calls.map(({ asked: { step, modelArguments } }) => [step, modelArguments] as const);
  const possible = steps
    .slice(0, maxSteps)
    .flatMap(({ calls }, step) =>
      calls.map((_, index) => [step, JSON.stringify({ place: `${step}.${index}` })] as const),
    );
  // A process may die while it reports a step's calls. Calls that it did not report never began.
  expect(possible).toEqual(expect.arrayContaining([...places]));
  expect(places).toEqual(places.toSorted(([a, textA], [b, textB]) => a - b || (textA < textB ? -1 : 1)));
  expect(new Set(places.map(([step]) => step)).size).toBe(Math.min(steps.length, maxSteps));
  for (const { asked } of rows.calls) expect(asked.preamble).toBe(steps[asked.step]!.preamble.join(''));
}

const unhandled: unknown[] = [];
function note(reason: unknown): void {
  return void unhandled.push(reason);
}
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));

it('answers as if nothing had happened, however often the processes that run it die', async () => {
  let repeated = 0;
  let unknown = 0;
  await fc.assert(
    fc.asyncProperty(plan, async (drawn) => {
      const turn = new Turn(drawn);
      for (const death of [...drawn.deaths, null]) {
        await turn.run(death);
        if (turn.finishReason !== null) break;
        turn.withdraw();
      }
      checkCalls(turn);
      checkSteps({ rows: turn.rows, plan: drawn });
      expect(shownIn(turn.rows.entries)).toBe(ANSWER.join(''));
      const steps = Math.min(drawn.steps.length, drawn.maxSteps);
      expect(turn.finishReason).toBe(drawn.steps.length >= drawn.maxSteps ? 'MAX_STEPS' : 'ANSWERED');
      // The usage of an interrupted model call is unknown. All others are counted once.
      expect(turn.usage).toMatchObject({
        modelCalls: steps + 1,
        inputTokens: 10 * (steps + 1),
        skillCalls: turn.rows.calls.length,
      });
      const callIds = turn.skills.called.map(({ callId }) => callId);
      repeated += callIds.length - new Set(callIds).size;
      unknown += turn.rows.of('skill-finished').filter(({ callStatus }) => callStatus === 'UNKNOWN').length;
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled.splice(0)).toEqual([]);
    }),
    { numRuns: 500 },
  );
  // The processes died at the important places.
  expect(repeated).toBeGreaterThan(0);
  expect(unknown).toBeGreaterThan(0);
});
