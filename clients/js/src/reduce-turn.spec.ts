import fc from 'fast-check';

import { initialTurn, reduceTurn, type TurnState } from './reduce-turn.js';
import { noUsage } from './scripted-server.double.js';
import type { TurnEvent } from './turn-event.js';

type Body<Event = TurnEvent> = Event extends TurnEvent ? Omit<Event, 'turnId' | 'sequence' | 'at'> : never;

/** The events of a turn, numbered as the server numbers them. */
function numbered(bodies: readonly Body[]): TurnEvent[] {
  return bodies.map(
    (body, index) =>
      ({ turnId: 't', sequence: index + 1, at: '2026-01-02T03:04:05.000Z', ...body }) as TurnEvent,
  );
}

function stateAfter(events: readonly TurnEvent[], before: TurnState = initialTurn): TurnState {
  return events.reduce(reduceTurn, before);
}

const done: Body = {
  __typename: 'TurnDone',
  status: 'COMPLETED',
  finishReason: 'ANSWERED',
  messageId: 'm',
  usage: noUsage,
  error: null,
};
const approval = {
  id: 'a-1',
  turnId: 't',
  skill: 'send_email',
  arguments: {},
  reason: null,
  status: 'PENDING',
  expiresAt: '2026-01-02T04:00:00.000Z',
} as const;

const id = fc.constantFrom('1', '2', '3');
const text = fc.string({ unit: 'grapheme', maxLength: 5 });
const body: fc.Arbitrary<Body> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ __typename: fc.constant('TextDelta' as const), text }) },
  fc.record({
    __typename: fc.constant('TextReset' as const),
    cause: fc.constantFrom('PREAMBLE' as const, 'RETRIED' as const),
  }),
  fc.record({ __typename: fc.constant('ReasoningDelta' as const), text }),
  fc.record({
    __typename: fc.constant('StatusChanged' as const),
    status: fc.constantFrom('RUNNING' as const, 'WAITING_FOR_APPROVAL' as const, 'QUEUED' as const),
    detail: fc.constantFrom(null, 'RETRYING', 'APPROVED'),
  }),
  fc.record({
    __typename: fc.constant('SkillStarted' as const),
    callId: id,
    skill: fc.constant('search'),
    arguments: fc.constant({ query: 'x' }),
  }),
  fc.record({
    __typename: fc.constant('SkillFinished' as const),
    callId: id,
    skill: fc.constant('search'),
    callStatus: fc.constantFrom('SUCCEEDED' as const, 'FAILED' as const),
    resultPreview: text,
    durationMs: fc.nat(),
  }),
  id.map((id) => ({ __typename: 'ApprovalRequested' as const, approval: { ...approval, id } })),
  id.map((inputId) => ({ __typename: 'InputResolved' as const, inputId, inputStatus: 'ANSWERED' as const })),
  fc.constant({ __typename: 'MoodChanged', mood: 'calm' } as unknown as Body),
);
const turns = fc.array(body, { maxLength: 30 }).map((bodies) => numbered([...bodies, done]));

/** What the contract says that the stored answer is, or the reasoning beside it. */
function storedOf(events: readonly TurnEvent[], name: 'TextDelta' | 'ReasoningDelta'): string {
  const lastReset = events.findLastIndex(({ __typename }) => __typename === 'TextReset');
  return events
    .slice(lastReset + 1)
    .map((event) => (event.__typename === name ? event.text : ''))
    .join('');
}

describe('reduceTurn', () => {
  it('gives the same state wherever the stream is cut and resumed, and however often events come', () => {
    // Where each stream ends, and how far before that the next one begins again.
    const cuts = fc.array(fc.tuple(fc.nat(), fc.nat(5)));
    fc.assert(
      fc.property(turns, cuts, (events, cuts) => {
        let state = initialTurn;
        for (const [end, again] of cuts) {
          const from = Math.max(0, state.sequence - again);
          state = stateAfter(events.slice(from, from + (end % (events.length + 1))), state);
        }
        expect(stateAfter(events.slice(state.sequence), state)).toEqual(stateAfter(events));
      }),
    );
  });

  it('shows the stored answer at the end', () => {
    fc.assert(
      fc.property(turns, (events) => {
        const state = stateAfter(events);
        expect(state.text).toBe(storedOf(events, 'TextDelta'));
        expect(state.reasoning).toBe(storedOf(events, 'ReasoningDelta'));
        expect(state.end).toMatchObject({ status: 'COMPLETED', messageId: 'm' });
        expect(state.sequence).toBe(events.length);
      }),
    );
  });

  it('leaves nothing running and nobody waited for at the end', () => {
    fc.assert(
      fc.property(turns, (events) => {
        const { steps, inputs } = stateAfter(events);
        expect([...steps, ...inputs]).not.toContainEqual(
          expect.objectContaining({ status: expect.toBeOneOf(['RUNNING', 'PENDING']) }),
        );
      }),
    );
  });

  it('changes no state that it was given', () => {
    fc.assert(
      fc.property(turns, (events) => {
        const states = [initialTurn];
        for (const event of events) states.push(reduceTurn(states.at(-1)!, event));
        const before = structuredClone(states);
        for (const state of states) stateAfter(events, state);
        expect(states).toEqual(before);
      }),
    );
  });

  it('shows what was done on the way', () => {
    const state = stateAfter(
      numbered([
        { __typename: 'StatusChanged', status: 'RUNNING', detail: null },
        { __typename: 'ReasoningDelta', text: 'Hmm' },
        { __typename: 'SkillLoaded', skill: 'audit' },
        { __typename: 'PlanDecided', action: 'CALL_SKILL', nextSkill: 'search', reason: 'Why not?' },
        { __typename: 'TextDelta', text: 'Je regarde.' },
        { __typename: 'TextReset', cause: 'PREAMBLE' },
        { __typename: 'SkillStarted', callId: 'c', skill: 'search', arguments: { query: 'x' } },
        {
          __typename: 'SkillFinished',
          callId: 'c',
          skill: 'search',
          callStatus: 'SUCCEEDED',
          resultPreview: '3 results',
          durationMs: 12,
        },
        { __typename: 'MovedToBackground', message: 'It takes longer.', reason: null },
        { __typename: 'TextDelta', text: 'Bon' },
        { __typename: 'TextReset', cause: 'RETRIED' },
        { __typename: 'ReasoningDelta', text: 'Ah' },
        { __typename: 'TextDelta', text: 'Bonjour' },
      ]),
    );
    expect(state).toMatchObject({ status: 'RUNNING', text: 'Bonjour', reasoning: 'Ah', end: null });
    expect(state.steps).toEqual([
      { kind: 'loaded', skill: 'audit' },
      { kind: 'plan', action: 'CALL_SKILL', skill: 'search', reason: 'Why not?' },
      { kind: 'preamble', text: 'Je regarde.', reasoning: 'Hmm' },
      {
        kind: 'skill',
        callId: 'c',
        skill: 'search',
        arguments: { query: 'x' },
        status: 'SUCCEEDED',
        resultPreview: '3 results',
        durationMs: 12,
      },
      { kind: 'background', message: 'It takes longer.', reason: null },
    ]);
  });

  it('shows one step for a call that is run again', () => {
    const started: Body = { __typename: 'SkillStarted', callId: 'c', skill: 'search', arguments: {} };
    const running = stateAfter(numbered([started, started]));
    expect(running.steps).toMatchObject([{ callId: 'c', status: 'RUNNING' }]);
    expect(stateAfter(numbered([started, started, done])).steps).toMatchObject([{ status: 'UNKNOWN' }]);
  });

  const asked: Body = { __typename: 'ApprovalRequested', approval };
  const waiting: Body = { __typename: 'StatusChanged', status: 'WAITING_FOR_APPROVAL', detail: null };
  const goesOn: Body = { __typename: 'StatusChanged', status: 'QUEUED', detail: 'DENIED' };
  const other: Body = { __typename: 'ApprovalRequested', approval: { ...approval, id: 'a-2' } };
  const question: Body = {
    __typename: 'InputRequested',
    input: {
      kind: 'QUESTION',
      id: 'q',
      turnId: 't',
      status: 'PENDING',
      expiresAt: approval.expiresAt,
      askedByName: null,
      askedIn: null,
      prompt: 'Which year?',
      responseSchema: {},
    },
  };

  it.each<[what: string, bodies: Body[], statuses: string[]]>([
    ['is asked', [asked, waiting], ['PENDING']],
    ['is answered', [asked, waiting, goesOn], ['DENIED']],
    ['are answered, of which the event tells one', [asked, other, waiting, goesOn], ['ANSWERED', 'ANSWERED']],
    ['is asked anew', [asked, waiting, goesOn, other, waiting], ['DENIED', 'PENDING']],
    [
      'is resolved by an event of its own',
      [question, asked, { __typename: 'InputResolved', inputId: 'q', inputStatus: 'DECLINED' }],
      ['DECLINED', 'PENDING'],
    ],
    [
      'is resolved after the turn goes on',
      [asked, waiting, goesOn, { __typename: 'InputResolved', inputId: 'a-1', inputStatus: 'EXPIRED' }],
      ['EXPIRED'],
    ],
    ['is waited for when the turn ends', [asked, waiting, done], ['CANCELLED']],
  ])('tells how what %s stands', (_what, bodies, statuses) => {
    expect(stateAfter(numbered(bodies)).inputs.map(({ status }) => status)).toEqual(statuses);
  });
});
