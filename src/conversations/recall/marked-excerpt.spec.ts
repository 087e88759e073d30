import fc from 'fast-check';

import { wordsOf } from '../../documents/search/named-words.js';
import { markedExcerpt } from './marked-excerpt.js';

describe('the excerpt of a message', () => {
  it.each([
    ['Le bilan carbone de 2025.', 'bilan', 'Le «bilan» carbone de 2025.'],
    ['Les Émissions\n\nde l’été', 'emission ETE', 'Les «Émissions» de l’«été»'],
    ['Il a dit « bilan » hier.', 'bilan', 'Il a dit " «bilan» " hier.'],
    ['Nothing of that.', 'bilan', 'Nothing of that.'],
    ['我們的碳足跡報告', '碳足跡', '我們的«碳足跡»報告'],
    ['我们的碳足迹报告', '碳足跡', '我们的«碳足迹»报告'],
  ])('marks in %j what %j asks for', (text, query, excerpt) => {
    expect(markedExcerpt(text, wordsOf(query))).toBe(excerpt);
  });

  it('is the part around the first word that was found, cut between words', () => {
    const text = `${'avant '.repeat(100)}bilan ${'après '.repeat(100)}`;
    const excerpt = markedExcerpt(text, ['bilan']);
    expect(excerpt).toMatch(/^…(avant )+«bilan»( après)+…$/);
    expect(excerpt.length).toBeLessThan(260);
  });

  it('is the text itself, whatever it is, but for marks, blanks and what is cut off', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.string(), (text, query) => {
        const excerpt = markedExcerpt(text, wordsOf(query));
        expect(excerpt.isWellFormed()).toBe(text.isWellFormed());
        const line = text.replaceAll(/[«»]/g, '"').replaceAll(/\s+/g, ' ').trim();
        expect(line).toContain(excerpt.replaceAll(/[«»]/g, '').replaceAll(/^…|…$/g, ''));
      }),
    );
  });
});
