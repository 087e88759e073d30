import { isTerminal, type TurnEvent, type TurnEventBody, type Usage, usageOf } from '../turn-event.js';
import type { Turn } from '../turn.entity.js';

/** What is known of a turn beside its events. */
export type EndedTurn = Usage &
  Pick<Turn, 'id' | 'status' | 'finishReason' | 'error' | 'finishedAt' | 'lastSequence'>;

/**
 * The events later than `after` of a turn that has ended and whose own events are gone: its stored answer, and
 * TurnDone. Whoever has seen a part of the turn is told to forget its text. Nothing is later than the turn's end.
 */
export const endedReplay = (
  turn: EndedTurn,
  answer: { id: string; text: string } | null,
  after: number,
): TurnEvent[] => {
  const { status, finishReason, finishedAt, error } = turn;
  if (!isTerminal(status) || !finishReason || !finishedAt || after >= turn.lastSequence) return [];
  const bodies: TurnEventBody[] = [];
  if (after > 0) bodies.push({ type: 'text-reset', cause: 'RETRIED' });
  if (answer) bodies.push({ type: 'text-delta', text: answer.text });
  const messageId = answer?.id ?? null;
  bodies.push({ type: 'turn-done', status, finishReason, messageId, usage: usageOf(turn), error });
  return bodies.map((body, index) => ({
    turnId: turn.id,
    sequence: after + index + 1,
    at: finishedAt,
    ...body,
  }));
};
