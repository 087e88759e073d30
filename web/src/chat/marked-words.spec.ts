import { marked } from './marked-words.js';

function words(passage: string, sentence: string): string[] {
  return marked(passage, sentence).flatMap(({ text, isMarked }) => (isMarked ? [text] : []));
}

it('marks the telling words that the sentence has too, whatever their case and accents', () => {
  expect(words('L’électricité émet 0,4 kg en 2024.', 'En 2024, l’ELECTRICITE a émis peu.')).toEqual([
    'électricité',
    '2024',
  ]);
});

it('changes no letter of the passage', () => {
  const passage = '  Deux  mots, dont un connu. ';
  expect(
    marked(passage, 'connu')
      .map(({ text }) => text)
      .join(''),
  ).toBe(passage);
});

it('marks nothing without a sentence', () => {
  expect(marked('Something.', '')).toEqual([{ text: 'Something.', isMarked: false }]);
});
