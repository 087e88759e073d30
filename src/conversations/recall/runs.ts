import type { NearMessage } from './recall.repository.js';

/**
 * What was found with what stands near it, in runs: messages of one conversation that follow each other without a gap,
 * each once. `near`: by what was found, and in the order of the conversation.
 */
export const runsOf = (near: readonly NearMessage[]): NearMessage[][] => {
  const next = new Map<string, string>();
  const messages = new Map<string, NearMessage>();
  let before: NearMessage | null = null;
  for (const message of near) {
    if (before?.foundId === message.foundId) next.set(before.id, message.id);
    messages.set(message.id, message);
    before = message;
  }
  const runs: NearMessage[][] = [];
  let last: NearMessage | null = null;
  for (const message of [...messages.values()].toSorted(inOrder)) {
    if (last === null || next.get(last.id) !== message.id) runs.push([]);
    runs.at(-1)?.push(message);
    last = message;
  }
  return runs;
};

const inOrder = (a: NearMessage, b: NearMessage): number =>
  compare(a.conversationId, b.conversationId) || compare(a.id, b.id);

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
