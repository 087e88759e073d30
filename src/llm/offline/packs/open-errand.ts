import type { Conversation } from '../conversation.js';
import { fold } from '../reading/words/fold.js';
import type { ToldPack } from './catalogue.js';
import { onlyTells } from './document-request.js';
import { fittingPacks, isNamedIn, saysMoreThan } from './pack-fit.js';

const mostRemembered = 8;

/** What a question is about that instructions are for. */
export interface Errand {
  packs: readonly ToldPack[];
  /** What the user said of it, oldest first, the question among it. */
  said: readonly string[];
}

/** An errand that was begun with an earlier question. */
export interface OpenErrand extends Errand {
  /** What was answered: what was asked for stands there. */
  told: readonly string[];
}

/**
 * Whether a text that names packs only answers what it was asked for: «no está arrendado» gives a deed of sale what
 * it has to know, and asks for no lease.
 */
export const isAnswerTo = ({ packs, told }: OpenErrand, text: string, named: readonly ToldPack[]): boolean =>
  onlyTells(fold(text)) &&
  named.every(
    (pack) => packs.includes(pack) || (isNamedIn(pack, told.join('\n')) && saysMoreThan(pack, text)),
  );

/** The errand of the last message that asked for packs and was not taken back, with all that was said from there on. */
export function openErrandOf(
  packs: readonly ToldPack[],
  earlier: Conversation['earlier'],
): OpenErrand | null {
  const recent = earlier.filter(({ unanswered }) => unanswered !== 'WITHDRAWN').slice(-mostRemembered);
  let open: (OpenErrand & { said: string[]; told: string[] }) | null = null;
  for (const { question, answer } of recent) {
    const named = fittingPacks(packs, question);
    const isNew = named.length > 0 && !(open && isAnswerTo(open, question, named));
    if (isNew) open = { packs: named, said: [], told: [] };
    open?.said.push(question);
    open?.told.push(answer);
  }
  return open;
}
