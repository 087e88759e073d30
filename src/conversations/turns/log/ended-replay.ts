import {
  isTerminal,
  type TurnEntry,
  type TurnEvent,
  type TurnEventBody,
  type Usage,
  usageOf,
} from '../turn-event.js';
import type { Turn } from '../turn.entity.js';

/** Characters of the answer in each event before TurnDone, from the last that withdrew the text. */
export type AnswerPieces = readonly number[];

/** Facts of an ended turn that outlast its events. */
export type EndedTurn = Usage &
  Pick<Turn, 'id' | 'status' | 'finishReason' | 'error' | 'finishedAt' | 'lastSequence'> & {
    /** Null: it ended before pieces were stored. */
    answerPieces: AnswerPieces | null;
  };

export function trackPieces(pieces: number[], entries: readonly TurnEntry[]): void {
  for (const entry of entries) {
    if (entry.type === 'text-reset') pieces.length = 0;
    else pieces.push(entry.type === 'text-delta' ? entry.text.length : 0);
  }
}

/** Replaces removed events with the same sequence numbers, so that clients can resume. Lost: an empty TextDelta. */
export function replayEndedTurn(
  turn: EndedTurn,
  answer: { id: string; text: string } | null,
  after: number,
  limit: number,
): TurnEvent[] {
  const { status, finishReason, finishedAt, lastSequence, error } = turn;
  if (!isTerminal(status) || !finishReason || !finishedAt) return [];
  const pieces = turn.answerPieces ?? (answer ? [answer.text.length] : []);
  const ends = endsOf(pieces);
  /** The last event after which the text was empty. */
  const empty = lastSequence - 1 - pieces.length;
  const bodyAt = (sequence: number): TurnEventBody => {
    if (sequence === lastSequence) {
      const messageId = answer?.id ?? null;
      return { type: 'turn-done', status, finishReason, messageId, usage: usageOf(turn), error };
    }
    // A client that has seen nothing has no text to reset.
    if (sequence === empty && after > 0) return { type: 'text-reset', cause: 'RETRIED' };
    const [from, to] = [ends[sequence - empty - 2] ?? 0, ends[sequence - empty - 1] ?? 0];
    return { type: 'text-delta', text: answer?.text.slice(from, to) ?? '' };
  };
  const count = Math.max(0, Math.min(limit, lastSequence - after));
  return Array.from({ length: count }, (_, index) => after + index + 1).map((sequence) => ({
    turnId: turn.id,
    sequence,
    at: finishedAt,
    ...bodyAt(sequence),
  }));
}

/** The text's length after each piece. The last piece takes the rest, as the answer may have been changed since. */
function endsOf(pieces: AnswerPieces): number[] {
  let end = 0;
  const last = pieces.findLastIndex((length) => length > 0);
  return pieces.map((length, index) => (index < last ? (end += length) : Infinity));
}
