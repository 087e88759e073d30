import fc from 'fast-check';

import { newId } from '../../common/ids.js';
import {
  finishReasons,
  terminalStatuses,
  type TurnEvent,
  type TurnStatus,
  turnStatuses,
  usageOf,
} from '../turn-event.js';
import { type EndedTurn, endedReplay } from './ended-replay.js';

const count = fc.nat(1_000_000);

const turn: fc.Arbitrary<EndedTurn> = fc.record({
  id: fc.constant(newId()),
  status: fc.constantFrom<TurnStatus[]>(...terminalStatuses),
  finishReason: fc.constantFrom(...finishReasons),
  error: fc.constantFrom(null, { code: 'MODEL_UNAVAILABLE', message: 'It is away.', retryable: true }),
  finishedAt: fc.date({ noInvalidDate: true }),
  lastSequence: fc.integer({ min: 1, max: 12 }),
  inputTokens: count,
  outputTokens: count,
  cachedInputTokens: count,
  modelCalls: count,
  skillCalls: count,
  costUsd: fc.option(fc.double({ noNaN: true, min: 0 })),
});

const answer = fc.option(
  fc.record({
    id: fc.constant(newId()),
    text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
  }),
);

/** The answer that somebody holds who had `seen` before the events. */
const textAfter = (seen: string, events: readonly TurnEvent[]): string =>
  events.reduce((text, event) => {
    if (event.type === 'text-reset') return '';
    return event.type === 'text-delta' ? text + event.text : text;
  }, seen);

describe('the replay of a turn whose events are gone', () => {
  it('keeps the laws, wherever somebody stands and whatever they have seen', () => {
    fc.assert(
      fc.property(turn, answer, fc.nat(11), fc.string(), (turn, answer, position, someText) => {
        const after = position % turn.lastSequence;
        const events = endedReplay(turn, answer, after);
        expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => after + index + 1));
        expect(textAfter(after === 0 ? '' : someText, events)).toBe(answer?.text ?? '');
        expect(events.filter(({ type }) => type === 'turn-done')).toEqual([
          {
            turnId: turn.id,
            sequence: after + events.length,
            at: turn.finishedAt,
            type: 'turn-done',
            status: turn.status,
            finishReason: turn.finishReason,
            messageId: answer?.id ?? null,
            usage: usageOf(turn),
            error: turn.error,
          },
        ]);
        expect(events.at(-1)?.type).toBe('turn-done');
        for (const event of events) expect(event).toMatchObject({ turnId: turn.id, at: turn.finishedAt });
      }),
    );
  });

  it('is over for whoever has seen the end', () => {
    fc.assert(
      fc.property(turn, answer, fc.nat(5), (turn, answer, more) => {
        expect(endedReplay(turn, answer, turn.lastSequence + more)).toEqual([]);
      }),
    );
  });

  it('is never that of a turn that has not ended', () => {
    const unfinished = turnStatuses.filter((status) => !(terminalStatuses as TurnStatus[]).includes(status));
    fc.assert(
      fc.property(turn, answer, fc.constantFrom(...unfinished), (turn, answer, status) => {
        expect(endedReplay({ ...turn, status }, answer, 0)).toEqual([]);
      }),
    );
  });
});
