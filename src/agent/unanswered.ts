import { inLanguage } from '../common/text/in-language.js';
import type { Message, MessageRole } from '../conversations/message.entity.js';
import type { Unanswered } from '../conversations/turns/turn-event.js';
import { planLabelsFor } from './loop/plan-labels.js';

/** What the assistant says of a question that it will not answer unless it is asked again. */
type Labels = Record<Exclude<Unanswered, 'IN_BACKGROUND'>, string>;

const fr: Labels = {
  CANCELLED: "Vous avez annulé cette demande avant que j'y réponde : je n'y donne pas suite.",
  SUPERSEDED:
    "Vous avez remplacé cette demande par une autre avant que j'y réponde : je n'y donne pas suite.",
  FAILED:
    "Cette demande n'a pas pu aboutir et reste sans réponse. Je n'y reviens que si vous me le redemandez.",
};

const en: Labels = {
  CANCELLED: 'You cancelled this request before I answered it: I am not acting on it.',
  SUPERSEDED: 'You replaced this request with another before I answered it: I am not acting on it.',
  FAILED:
    'This request could not be completed and is still unanswered. I come back to it only if you ask me again.',
};

const es: Labels = {
  CANCELLED: 'Cancelaste esta petición antes de que la respondiera: no le doy curso.',
  SUPERSEDED: 'Sustituiste esta petición por otra antes de que la respondiera: no le doy curso.',
  FAILED:
    'Esta petición no se ha podido completar y sigue sin respuesta. Solo volveré a ella si me lo pides de nuevo.',
};

const zhHant: Labels = {
  CANCELLED: '您在我回答之前取消了這項要求，我不會處理。',
  SUPERSEDED: '您在我回答之前用另一項要求取代了這項要求，我不會處理。',
  FAILED: '這項要求未能完成，尚未得到回答。您再次提出時，我才會處理。',
};

const labelsFor = inLanguage<Labels>({ fr, en, es, zh: zhHant });

/** What a model is told that the assistant said in place of an answer. `language`: a BCP 47 tag; English for others. */
export function unansweredText(why: Unanswered, language: string): string {
  return why === 'IN_BACKGROUND' ? planLabelsFor(language).movedToBackground : labelsFor(language)[why];
}

export type ToldMessage = Pick<Message, 'role' | 'text'>;

/** The turns of questions that no answer follows among `messages`, whichever turn answered. */
export function unansweredIn(
  messages: readonly { role: MessageRole; text: string; turnId: string | null }[],
): string[] {
  return messages.flatMap(({ role, turnId }, index) => {
    const next = messages[index + 1];
    const isAnswered = next?.role === 'ASSISTANT' && next.text.trim() !== '';
    return role === 'USER' && turnId !== null && !isAnswered ? [turnId] : [];
  });
}

/** Messages with what became of those questions among them that have no answer. */
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
