import fc from 'fast-check';

import { titleOf } from './title.js';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
function graphemes(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

describe('a title', () => {
  it.each([
    ['Bonjour', 'Bonjour'],
    ['  \n\t Quel est notre bilan ?\nDétails : …', 'Quel est notre bilan ?'],
    ['one\r\ntwo', 'one'],
    ['one\rtwo', 'one'],
    ['a  \t b', 'a b'],
    ['我們公司的碳足跡是多少？', '我們公司的碳足跡是多少？'],
    ['\u200b\n \u2060\u200d\u00ad\nBonjour', 'Bonjour'],
    ['\u202eBon\u200bjour', 'Bonjour'],
    ['\u200b\u200b', ''],
    ['', ''],
  ])('of %j is %j', (question, title) => expect(titleOf(question)).toBe(title));

  it('of exactly 80 characters stays whole', () => {
    expect(titleOf('a'.repeat(80))).toBe('a'.repeat(80));
  });

  it('is cut at a word', () => {
    const title = titleOf('mot '.repeat(30));
    expect(title).toBe(`${'mot '.repeat(19)}mot…`);
    expect(graphemes(title)).toHaveLength(80);
  });

  it('is cut anywhere where there is no word to cut at', () => {
    expect(titleOf('碳'.repeat(81))).toBe(`${'碳'.repeat(79)}…`);
    expect(titleOf(`a ${'b'.repeat(100)}`)).toBe(`a ${'b'.repeat(77)}…`);
  });

  it('counts an emoji of many parts as one character, and never parts it', () => {
    const family = '👨‍👩‍👧‍👦';
    expect(titleOf(family.repeat(80))).toBe(family.repeat(80));
    expect(titleOf(family.repeat(81))).toBe(`${family.repeat(79)}…`);
  });

  it('stays short when one character is a thousand marks long', () => {
    const title = titleOf(`e${'\u0301'.repeat(100_000)}`);
    expect(title.length).toBeLessThanOrEqual(1_601);
    expect(title.endsWith('…')).toBe(true);
  });

  it('is one well-formed line of at most 80 characters, the beginning of the question', () => {
    const words = fc.array(
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('\n', '\r', ' ', '👩🏽‍🚀', '碳', 'mot')),
      { maxLength: 200, size: 'max' },
    );
    fc.assert(
      fc.property(words, (parts) => {
        const question = parts.join('');
        const title = titleOf(question);
        expect(title).not.toMatch(/[\r\n]/);
        expect(title.isWellFormed()).toBe(true);
        expect(graphemes(title).length).toBeLessThanOrEqual(80);
        const whole = question.trim().replaceAll(/\s+/g, ' ');
        expect(whole.startsWith(title.endsWith('…') ? title.slice(0, -1) : title)).toBe(true);
      }),
    );
  });
});
