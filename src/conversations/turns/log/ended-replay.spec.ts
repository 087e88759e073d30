import fc from 'fast-check';

import { newId } from '../../../common/ids.js';
import {
  finishReasons,
  terminalStatuses,
  type TurnEntry,
  type TurnEvent,
  type TurnStatus,
  turnStatuses,
  usageOf,
} from '../turn-event.js';
import { trackPieces, type EndedTurn, replayEndedTurn } from './ended-replay.js';

const count = fc.nat(1_000_000);

const turn: fc.Arbitrary<EndedTurn> = fc.record({
  id: fc.constant(newId()),
  status: fc.constantFrom<TurnStatus[]>(...terminalStatuses),
  finishReason: fc.constantFrom(...finishReasons),
  error: fc.constantFrom(null, { code: 'MODEL_UNAVAILABLE', message: 'It is away.', retryable: true }),
  finishedAt: fc.date({ noInvalidDate: true }),
  lastSequence: fc.integer({ min: 2, max: 12 }),
  answerPieces: fc.constant(null),
  inputTokens: count,
  outputTokens: count,
  cachedInputTokens: count,
  modelCalls: count,
  skillCalls: count,
  costUsd: fc.option(fc.double({ noNaN: true, min: 0 })),
});

const entry: fc.Arbitrary<TurnEntry> = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map(delta) },
  fc.constant<TurnEntry>({ type: 'text-reset', cause: 'PREAMBLE' }),
  fc.constant<TurnEntry>({ type: 'status-changed', status: 'RUNNING', detail: null }),
);

function delta(text: string): TurnEntry {
  return { type: 'text-delta', text };
}

/** A turn's own events before its end, in the parts in which they were stored, and the turn as it was left. */
const told = fc
  .tuple(turn, fc.array(fc.array(entry, { maxLength: 6 }), { minLength: 1, maxLength: 5 }))
  .map(([ended, parts]) => {
    const answerPieces: number[] = [];
    for (const part of parts) trackPieces(answerPieces, part);
    const entries = parts.flat();
    const text = textAfter('', entries);
    const answer = text === '' ? null : { id: newId(), text };
    return { ended: { ...ended, answerPieces, lastSequence: entries.length + 1 }, entries, answer };
  });

/** The text that somebody holds who had `seen` before. */
function textAfter(seen: string, events: readonly (TurnEntry | TurnEvent)[]): string {
  return events.reduce((text, event) => {
    if (event.type === 'text-reset') return '';
    return event.type === 'text-delta' ? text + event.text : text;
  }, seen);
}

describe('the replay of a turn whose events are gone', () => {
  it('goes on from whatever somebody has seen, in whatever pieces they read it', () => {
    fc.assert(
      fc.property(told, fc.nat(), fc.array(fc.integer({ min: 1, max: 7 })), (made, position, limits) => {
        const { ended, entries, answer } = made;
        let after = position % ended.lastSequence;
        const seen: (TurnEntry | TurnEvent)[] = entries.slice(0, after);
        const replayed: TurnEvent[] = [];
        while (after < ended.lastSequence) {
          // Each piece may be read by somebody who comes back with nothing but the number of the last event.
          const events = replayEndedTurn(ended, answer, after, limits.pop() ?? 200);
          replayed.push(...events);
          after += events.length;
        }
        expect(replayed.map(({ sequence }) => sequence)).toEqual(
          Array.from(
            { length: ended.lastSequence - (seen.length === 0 ? 0 : seen.length) },
            (_, index) => seen.length + index + 1,
          ),
        );
        expect(textAfter(textAfter('', seen), replayed)).toBe(answer?.text ?? '');
        const { id: turnId, status, finishReason, error } = ended;
        expect(replayed.filter(({ type }) => type === 'turn-done')).toEqual([
          {
            turnId,
            sequence: ended.lastSequence,
            at: ended.finishedAt,
            type: 'turn-done',
            status,
            finishReason,
            messageId: answer?.id ?? null,
            usage: usageOf(ended),
            error,
          },
        ]);
        for (const event of replayed) expect(event).toMatchObject({ turnId, at: ended.finishedAt });
      }),
    );
  });

  it('tells the whole answer where it was changed since', () => {
    fc.assert(
      fc.property(told, fc.string({ minLength: 1, maxLength: 50 }), ({ ended, answer }, text) => {
        fc.pre(answer !== null);
        const events = replayEndedTurn(ended, { id: newId(), text }, 0, 200);
        expect(textAfter('', events)).toBe(text);
      }),
    );
  });

  it('tells the answer of a turn that ended before its pieces were kept', () => {
    fc.assert(
      fc.property(turn, fc.option(fc.string({ minLength: 1 })), fc.nat(12), (turn, text, position) => {
        const answer = text === null ? null : { id: newId(), text };
        const events = replayEndedTurn(turn, answer, 0, 200);
        expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
        expect([events.length, events.at(-1)?.type]).toEqual([turn.lastSequence, 'turn-done']);
        expect(textAfter('', events)).toBe(text ?? '');
        const after = position % Math.max(1, turn.lastSequence - 2);
        const seen = after === 0 ? '' : 'What was there';
        expect(textAfter(seen, replayEndedTurn(turn, answer, after, 200))).toBe(text ?? '');
      }),
    );
  });

  it('is over for whoever has seen the end', () => {
    fc.assert(
      fc.property(told, fc.nat(5), ({ ended, answer }, more) => {
        expect(replayEndedTurn(ended, answer, ended.lastSequence + more, 200)).toEqual([]);
      }),
    );
  });

  it('is never that of a turn that has not ended', () => {
    const unfinished = turnStatuses.filter((status) => !(terminalStatuses as TurnStatus[]).includes(status));
    fc.assert(
      fc.property(told, fc.constantFrom(...unfinished), ({ ended, answer }, status) => {
        expect(replayEndedTurn({ ...ended, status }, answer, 0, 200)).toEqual([]);
      }),
    );
  });
});
