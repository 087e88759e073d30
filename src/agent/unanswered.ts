import { wordingIn } from '../common/wording/wording.js';
import type { Message, MessageRole } from '../conversations/message.repository.js';
import type { Unanswered } from '../conversations/turns/turn-event.js';

/** The assistant's text in place of a missing answer. `language`: a BCP 47 tag; English for others. */
export function unansweredText(why: Unanswered, language: string): string {
  return why === 'IN_BACKGROUND'
    ? wordingIn(language).plan.movedToBackground
    : wordingIn(language).unanswered[why];
}

export type ToldMessage = Pick<Message, 'role' | 'text'>;

/** The turns of unanswered questions among `messages`, whichever turn should have answered. */
export function unansweredIn(
  messages: readonly { role: MessageRole; text: string; turnId: string | null }[],
): string[] {
  return messages.flatMap(({ role, turnId }, index) => {
    const next = messages[index + 1];
    const isAnswered = next?.role === 'ASSISTANT' && next.text.trim() !== '';
    return role === 'USER' && turnId !== null && !isAnswered ? [turnId] : [];
  });
}

/** Adds to unanswered questions what became of them. */
export function toldOf(
  messages: readonly Message[],
  unanswered: ReadonlyMap<string, Unanswered>,
  language: string,
): ToldMessage[] {
  return messages.flatMap(({ role, text, turnId }): ToldMessage[] => {
    const why = role === 'USER' ? unanswered.get(turnId ?? '') : undefined;
    const message = { role, text };
    return why ? [message, { role: 'ASSISTANT', text: unansweredText(why, language) }] : [message];
  });
}
