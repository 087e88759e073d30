import fc from 'fast-check';
import { O200kTokenizer } from '@palabre/llm-client';

import type { Message } from '../message.repository.js';
import { type ExcerptOptions, packExcerpts } from './excerpts.js';
import type { RecalledMessage } from './message-recall.service.js';

const tokenizer = new O200kTokenizer();
function count(text: string): number {
  return tokenizer.count(`${text}\n`);
}
function options(budgetTokens: number, language = 'en'): ExcerptOptions {
  return {
    budgetTokens,
    count,
    language,
  };
}

/** `at`: minutes after the beginning of 8 May 2023. */
function recalled(at: number, text: string, score: number, conversationId = 'c'): RecalledMessage {
  const createdAt = new Date(Date.UTC(2023, 4, 8) + at * 60_000);
  const id = `${conversationId}${String(at).padStart(6, '0')}`;
  return {
    message: { id, conversationId, createdAt, text } as Message,
    speaker: at % 2 === 0 ? 'Nadia' : 'Tom',
    session: `${conversationId} ${createdAt.toISOString().slice(0, 10)}`,
    shownAt: createdAt,
    text,
    score,
  };
}
const DAY = 24 * 60;

describe('excerpts', () => {
  it('have a day each, written once, and a line a message in the order of the conversation', () => {
    const { excerpts, omitted } = packExcerpts(
      [recalled(DAY, 'Second day.', 3), recalled(5, 'Later.', 2), recalled(2, 'Earlier.', 1)],
      options(200),
    );
    expect(excerpts.map(({ text }) => text)).toEqual([
      'Monday 8 May 2023\nNadia: Earlier.\nTom: Later.',
      'Tuesday 9 May 2023\nNadia: Second day.',
    ]);
    expect(excerpts.map(({ score }) => score)).toEqual([2, 3]);
    expect(omitted).toBe(0);
  });

  it.each([
    ['fr', 'lundi 8 mai 2023'],
    ['es', 'lunes 8 de mayo de 2023'],
    ['zh-Hant', '2023年5月8日星期一'],
    ['no language', 'Monday 8 May 2023'],
  ])('have their days in the language of the assistant: %s', (language, heading) => {
    const { excerpts } = packExcerpts([recalled(0, 'x', 1)], options(200, language));
    expect(excerpts[0]?.text.split('\n')[0]).toBe(heading);
  });

  it('tell once what is said nearly word for word again, in its best place', () => {
    const question = 'Which colour did we choose for the front of the house, and who paints it?';
    const { excerpts, omitted } = packExcerpts(
      [
        recalled(0, question, 2),
        recalled(DAY, `${question.slice(0, -1)} then?`, 3),
        recalled(2 * DAY, 'Which colour did we choose for the kitchen, and who paints the door?', 1),
      ],
      options(500),
    );
    expect(excerpts.map(({ messages }) => messages[0]?.createdAt.getUTCDate())).toEqual([9, 10]);
    expect(omitted).toBe(0);
  });

  it('tell once what was brought in twice, and a short reply again that was given on another day', () => {
    const reply = recalled(0, 'Yes, on Tuesday.', 2);
    const copy = recalled(0, 'Yes, on Tuesday.', 2, 'd');
    const { excerpts } = packExcerpts([reply, copy, recalled(DAY, 'Yes, on Tuesday.', 1)], options(500));
    expect(excerpts.map(({ messages }) => messages[0]?.id)).toEqual(['c000000', 'c001440']);
  });

  it('leave out what bears least on the question, and pass over what is too long', () => {
    const long = 'a long story about the kiln '.repeat(20);
    const { excerpts, omitted } = packExcerpts(
      [recalled(0, 'Best.', 9), recalled(1, long, 8), recalled(2, 'Good.', 7), recalled(3, 'Fair.', 1)],
      options(20),
    );
    expect(excerpts.map(({ text }) => text)).toEqual(['Monday 8 May 2023\nNadia: Best.\nNadia: Good.']);
    expect(omitted).toBe(2);
  });

  it('are none without room', () => {
    expect(packExcerpts([recalled(0, 'x', 1)], options(0))).toEqual({ excerpts: [], omitted: 1 });
    expect(packExcerpts([], options(2000))).toEqual({ excerpts: [], omitted: 0 });
  });

  it('are never more than the budget, hold whole lines, and account for every message', () => {
    const text = fc.oneof(
      fc.lorem(),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('好消息。', '😀😀', 'x'),
    );
    const messages = fc.uniqueArray(
      fc.record({ at: fc.nat(5 * DAY), text, score: fc.double({ min: 0.01, max: 50, noNaN: true }) }),
      { selector: ({ at }) => at, maxLength: 40 },
    );
    fc.assert(
      fc.property(messages, fc.nat(400), (said, budget) => {
        const all = said.map(({ at, text: line, score }) => recalled(at, line, score));
        const { excerpts, omitted } = packExcerpts(all, options(budget));
        const told = excerpts.flatMap((excerpt) => excerpt.messages);
        expect(excerpts.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(budget);
        expect(excerpts.every((excerpt) => excerpt.tokens === count(excerpt.text))).toBe(true);
        expect(
          excerpts.every((excerpt) => excerpt.text.split('\n').length === excerpt.messages.length + 1),
        ).toBe(true);
        expect(told.length + omitted).toBe(all.length);
        expect(told.map(({ id }) => id)).toEqual(told.map(({ id }) => id).toSorted());
      }),
    );
  });
});
