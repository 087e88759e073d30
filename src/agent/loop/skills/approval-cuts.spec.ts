import fc from 'fast-check';
import { type ChatRequest, ModelError } from '@palabre/llm-client';
import {
  failure,
  finish,
  ScriptedChatModel,
  type ScriptedReply,
  text,
  toolCall,
} from '@palabre/llm-client/scripted-chat-model.double.js';
import type { JsonObject } from '@palabre/json';

import { noUsage, type TurnEntry } from '../../../conversations/turns/turn-event.js';
import type { AgentResult, AgentTurn, AnsweredCall, MadeCall, AgentLoop } from '../agent-turn.js';
import { planned } from '../planned.js';
import { reactive } from '../reactive.js';
import {
  HastyClock,
  scriptedPorts,
  ScriptedSkills,
  scriptedTurn,
  succeeded,
} from '../scripted-turn.double.js';
import { shownIn as answerOf } from '../../../conversations/turns/log/turn-entries.double.js';

/** `send` needs approval and runs once. `look` is free and may be repeated. */
const calls = fc.array(fc.constantFrom('look', 'send'), { minLength: 1, maxLength: 3 });

const plan = fc.record({
  strategy: fc.constantFrom('REACTIVE' as const, 'PLANNED' as const),
  steps: fc.array(calls, { maxLength: 3 }),
  answers: fc.array(
    fc.constantFrom('APPROVED' as const, 'EDITED' as const, 'DENIED' as const, 'EXPIRED' as const),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
  /** The process dies repeatedly, after this many entries. */
  deaths: fc.array(fc.nat({ max: 8 }), { maxLength: 4 }),
  /** The model calls that break off after their first words. */
  brokenCalls: fc.array(fc.nat({ max: 12 }), { maxLength: 3 }),
});

type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

const gone = failure(new ModelError('MODEL_UNAVAILABLE', 'Gone.', true));

/** A turn over all its runs: its rows, the people who answer, and the world outside. */
class Turn {
  readonly entries: TurnEntry[] = [];
  readonly made: MadeCall[] = [];
  readonly answered: AnsweredCall[] = [];
  readonly sent: JsonObject[] = [];
  readonly clock = new HastyClock();
  private readonly skills: ScriptedSkills;
  private requests = 0;

  constructor(private readonly plan: Plan) {
    this.skills = new ScriptedSkills({
      look: async () => succeeded('seen'),
      send: async (input) => {
        this.sent.push(input);
        return succeeded('sent');
      },
    });
    this.skills.once.add('send');
    this.skills.guarded.add('send');
  }

  /** One run; null: its process died. */
  async run(most: number): Promise<AgentResult | null> {
    const strategy: AgentLoop = this.plan.strategy === 'PLANNED' ? planned : reactive;
    const turn: AgentTurn = {
      ...scriptedTurn(4),
      strategy: this.plan.strategy,
      background: { maxSteps: 4, maxSeconds: 900 },
      made: structuredClone(this.made),
      answered: structuredClone(this.answered),
    };
    const controller = new AbortController();
    const model = new ScriptedChatModel((request) => this.reply(request));
    const ports = scriptedPorts({ model, skills: this.skills, clock: this.clock });
    const loop = strategy(ports, turn, { ...noUsage }, controller.signal);
    for (let count = 0; count < most; count += 1) {
      const next = await loop.next();
      if (next.done) return next.value;
      this.store(next.value);
    }
    controller.abort(new Error('The process is dead.'));
    return null;
  }

  answer(result: AgentResult): void {
    if (result.type !== 'waiting') return;
    for (const { callId, skill, asked, arguments: input } of result.inputs) {
      const choice = this.plan.answers[this.answered.length % this.plan.answers.length];
      const isEdited = choice === 'EDITED';
      this.answered.push({
        callId,
        skill,
        asked,
        answer: choice === 'DENIED' || choice === 'EXPIRED' ? choice : 'APPROVED',
        arguments: isEdited ? { ...input, edited: true } : input,
        kind: 'APPROVAL',
        comment: null,
        given: null,
        request: null,
      });
    }
  }

  private store(entry: TurnEntry): void {
    this.entries.push(entry);
    if (entry.type === 'skill-started') {
      const { callId, skill, asked } = entry;
      const startedAt = this.clock.now();
      this.made.push({ callId, skill, asked, status: 'RUNNING', result: null, startedAt });
    } else if (entry.type === 'skill-finished') {
      const call = this.made.find(({ callId }) => callId === entry.callId);
      if (call) Object.assign(call, { status: entry.callStatus, result: entry.result });
    }
  }

  private reply(request: ChatRequest): ScriptedReply {
    checkPairs(request);
    const { messages, tools } = request;
    this.requests += 1;
    if (this.plan.brokenCalls.includes(this.requests)) return [text('It is f'), gone];
    const step = messages.filter(({ role }) => role === 'assistant').length;
    const names = tools.length > 0 ? this.plan.steps[step] : undefined;
    if (names) {
      return [
        ...names.map((name, index) => toolCall(name, { place: `${step}.${index}` }, `call_${index}`)),
        finish(),
      ];
    }
    const isPlanner = tools.some(({ name }) => name === 'synthesize_answer');
    return isPlanner
      ? [toolCall('synthesize_answer', { reason: 'Enough.' }), finish()]
      : [text('It is 42.'), finish()];
  }
}

async function play(drawn: Plan): Promise<Turn> {
  const turn = new Turn(drawn);
  const deaths = [...drawn.deaths];
  for (let runs = 0; runs < 20; runs += 1) {
    const result = await turn.run(deaths.shift() ?? Infinity);
    if (result?.type === 'done') return turn;
    if (result) turn.answer(result);
    else turn.entries.push({ type: 'text-reset', cause: 'RETRIED' });
  }
  throw new Error('The turn has no end.');
}

/** Each call has a result, and each result a call. */
function checkPairs({ messages }: ChatRequest): void {
  const asked = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [],
  );
  const told = messages.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : []));
  expect(told).toEqual(asked);
}

/** Each was approved as it was sent, and was sent only once. */
function checkSent({ sent, answered, made }: Turn): void {
  const begun = new Set(made.map(({ callId }) => callId));
  const allowed = answered.filter(({ callId, answer }) => begun.has(callId) && answer === 'APPROVED');
  const places = sent.map(({ place }) => place);
  expect(new Set(places).size).toBe(places.length);
  expect(allowed.map((call) => call.arguments)).toEqual(expect.arrayContaining(sent));
}

function checkEnds({ entries, made, answered }: Turn): void {
  const started = entries.flatMap((entry) => (entry.type === 'skill-started' ? [entry.callId] : []));
  const finished = entries.flatMap((entry) => (entry.type === 'skill-finished' ? [entry.callId] : []));
  expect(new Set(started).size).toBe(started.length);
  expect(finished.toSorted()).toEqual(started.toSorted());
  for (const { callId, answer } of answered) {
    const status = made.find((call) => call.callId === callId)?.status;
    if (answer === 'APPROVED') expect(['SUCCEEDED', 'UNKNOWN']).toContain(status);
    else expect(status).toBe('DENIED');
  }
}

it('does what people allowed, as they allowed it, and nothing else, whatever dies meanwhile', async () => {
  const seen = { sent: 0, denied: 0, edited: 0, unknown: 0 };
  await fc.assert(
    fc.asyncProperty(plan, async (drawn) => {
      const turn = await play(drawn);
      checkSent(turn);
      checkEnds(turn);
      expect(answerOf(turn.entries)).toBe('It is 42.');
      seen.sent += turn.sent.length;
      seen.edited += turn.sent.filter(({ edited }) => edited).length;
      seen.denied += turn.made.filter(({ status }) => status === 'DENIED').length;
      seen.unknown += turn.made.filter(({ status }) => status === 'UNKNOWN').length;
    }),
    { numRuns: 400 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});

it('a person is not asked about a call whose arguments do not fit: the model mends it first', async () => {
  const skills = new ScriptedSkills({ send: async () => succeeded('sent') });
  skills.guarded.add('send');
  skills.faults.set('send', ({ to }) => (to === 'awa' ? null : 'to must be awa'));
  const model = new ScriptedChatModel([
    [toolCall('send', { to: 'moussa' }), finish()],
    [toolCall('send', { to: 'awa' }), finish()],
  ]);
  const ports = scriptedPorts({ model, skills, clock: new HastyClock() });
  const loop = reactive(ports, scriptedTurn(4), { ...noUsage }, new AbortController().signal);
  let next = await loop.next();
  const ends: TurnEntry[] = [];
  for (; !next.done; next = await loop.next())
    if (next.value.type === 'skill-finished') ends.push(next.value);
  expect(ends).toMatchObject([{ callStatus: 'FAILED', result: '{"error":"to must be awa"}' }]);
  expect(next.value).toMatchObject({ type: 'waiting', inputs: [{ arguments: { to: 'awa' } }] });
  expect(skills.called).toEqual([]);
});
