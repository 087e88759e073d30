import type { ShownMessage, ShownTurn } from './conversation-operations.js';

const ENDED: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'CANCELLED']);

export function hasEnded({ status }: Pick<ShownTurn, 'status'>): boolean {
  return ENDED.has(status);
}

/** Somebody waits for it: one in the background goes on by itself. */
export function isUnderWay(turn: Pick<ShownTurn, 'status'>): boolean {
  return !hasEnded(turn) && turn.status !== 'IN_BACKGROUND' && turn.status !== 'QUEUED';
}

/** A question and what came of it, in the order of the path. */
export interface Exchange {
  question: ShownMessage | null;
  answer: ShownMessage | null;
}

export function exchangesOf(messages: readonly ShownMessage[]): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const message of messages) {
    const last = exchanges.at(-1);
    if (message.role === 'USER') exchanges.push({ question: message, answer: null });
    else if (last && last.answer === null) last.answer = message;
    else exchanges.push({ question: null, answer: message });
  }
  return exchanges;
}
