import fc from 'fast-check';

import { relevantSentences } from './relevant-sentences.js';

function about(word: string) {
  return (sentence: string) => Number(sentence.includes(word));
}
const filler = 'Nothing much happened here and we went on with our lives. ';

describe('what a message is told by', () => {
  it('is all of it while it is short, on one line', () => {
    expect(relevantSentences('First.\n\n- second\n- third', about('x'))).toBe('First. - second - third');
  });

  it('is what bears on the question where it is long, with marks for the rest', () => {
    const text = `${filler.repeat(20)}The heron code is 4711. ${filler.repeat(20)}`;
    const told = relevantSentences(text, about('heron'));
    expect(told).toContain('The heron code is 4711.');
    expect(told.length).toBeLessThanOrEqual(620);
    expect(told).toMatch(/…/);
  });

  it('is the beginning of a sentence that is too long by itself', () => {
    const told = relevantSentences(`the heron ${'word '.repeat(500)}`, about('heron'));
    expect(told).toMatch(/^the heron word .* word…$/);
    expect(told.length).toBeLessThanOrEqual(601);
  });

  it('is one well-formed line of some length, whatever the message says', () => {
    const texts = fc
      .array(
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(filler, '碳足跡很高。', '😀', '\n', '. ')),
        {
          maxLength: 60,
          size: 'max',
        },
      )
      .map((parts) => parts.join('').toWellFormed());
    fc.assert(
      fc.property(texts, (text) => {
        const told = relevantSentences(text, (sentence) => sentence.length % 7);
        expect(told).not.toMatch(/[\r\n]/);
        expect(told.isWellFormed()).toBe(true);
        expect(told.length).toBeLessThanOrEqual(1_300);
      }),
    );
  });
});
