import type { TurnDetails } from './turns-operations.js';

/** Something in a turn that took time. Times are milliseconds since the turn was asked. */
export interface TurnSpan {
  id: string;
  startMs: number;
  durationMs: number;
  call:
    | { kind: 'queue' }
    | { kind: 'model'; of: TurnDetails['modelCalls'][number] }
    | { kind: 'skill'; of: TurnDetails['skillCalls'][number] };
}

/** In the order in which they began. What has no end yet lasts until the turn's end, or until now. */
export function spansOf(turn: TurnDetails, now = Date.now()): TurnSpan[] {
  const askedAt = Date.parse(turn.createdAt);
  const until = turn.finishedAt === null ? now : Date.parse(turn.finishedAt);
  const spanOf = (id: string, start: number, end: number, call: TurnSpan['call']): TurnSpan => ({
    id,
    startMs: Math.max(0, start - askedAt),
    durationMs: Math.max(0, end - start),
    call,
  });
  const queue = spanOf('queue', askedAt, turn.startedAt === null ? until : Date.parse(turn.startedAt), {
    kind: 'queue',
  });
  const calls = [
    ...turn.modelCalls.map((of) => {
      const start = Date.parse(of.at);
      return spanOf(of.id, start, start + of.durationMs, { kind: 'model', of });
    }),
    ...turn.skillCalls.map((of) =>
      spanOf(of.id, Date.parse(of.startedAt), of.finishedAt === null ? until : Date.parse(of.finishedAt), {
        kind: 'skill',
        of,
      }),
    ),
  ];
  return [queue, ...calls.toSorted((one, other) => one.startMs - other.startMs)];
}
