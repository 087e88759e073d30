import type { Message } from '../conversations/message.repository.js';
import type { Unanswered } from '../conversations/turns/turn-event.js';
import { toldOf, unansweredIn, unansweredText } from './unanswered.js';

function messageOf(role: Message['role'], text: string, turnId: string | null): Message {
  return { role, text, turnId } as Message;
}

describe('what is said in place of an answer', () => {
  const languages = ['fr', 'en-GB', 'es', 'zh-Hant'];

  it.each(languages)('is of the assistant’s language, and another for each reason: %s', (language) => {
    const reasons: Unanswered[] = ['IN_BACKGROUND', 'CANCELLED', 'SUPERSEDED', 'FAILED'];
    const texts = reasons.map((why) => unansweredText(why, language));
    expect(new Set(texts).size).toBe(reasons.length);
    expect(languages.filter((other) => unansweredText('FAILED', other) === texts.at(-1))).toEqual([language]);
  });

  it('is English in a language that has no words for it', () => {
    expect(unansweredText('CANCELLED', 'pt-BR')).toBe(unansweredText('CANCELLED', 'en'));
  });
});

describe('messages as a model is told of them', () => {
  const messages = [
    messageOf('USER', 'Imported', null),
    messageOf('USER', 'Lost', 'lost'),
    messageOf('USER', 'Blank', 'blank'),
    messageOf('ASSISTANT', ' \n', 'blank'),
    messageOf('USER', 'Asked', 'asked'),
    messageOf('ASSISTANT', 'Answered', 'asked'),
    messageOf('USER', 'Failed', 'failed'),
    messageOf('ASSISTANT', 'Answered again', 'anew'),
  ];

  it('have questions without an answer, as long as nothing was said', () => {
    expect(unansweredIn(messages)).toEqual(['lost', 'blank']);
  });

  it('have what became of these behind them', () => {
    const told = toldOf(messages, new Map([['lost', 'CANCELLED']]), 'en');
    expect(told.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'USER: Imported',
      'USER: Lost',
      `ASSISTANT: ${unansweredText('CANCELLED', 'en')}`,
      'USER: Blank',
      'ASSISTANT:  \n',
      'USER: Asked',
      'ASSISTANT: Answered',
      'USER: Failed',
      'ASSISTANT: Answered again',
    ]);
  });
});
