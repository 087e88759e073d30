import type { Piece } from './piece.js';
import { textOf, toSegments } from './segment.js';

const SIZE = 10;
const more = { heading: null, isArtifact: false };

/**
 * Pieces as browsers draw them: each glyph separately, from left to right. A blank moves the next glyph, which is
 * marked.
 */
function drawn(visual: readonly string[]): Piece[] {
  let left = 50;
  let isSpaced = false;
  return visual.flatMap((text) => {
    if (text === ' ') {
      left += 0.26 * SIZE;
      isSpaced = true;
      return [];
    }
    const right = left + text.length * SIZE * 0.4;
    const piece = { text, left, right, baseline: 100, size: SIZE, font: 'plain', isSpaced, ...more };
    [left, isSpaced] = [right, false];
    return [piece];
  });
}

function reading(visual: readonly string[]): string[] {
  return toSegments(drawn(visual)).map(textOf);
}

it.each([
  ['words', ['2023', ' ', ...'مـاـع', ' ', ...'رـيـرـقـت'], 'تـقـرـيـر عـاـم 2023'],
  ['years', ['2023', ' ', '2022', ' ', ...'رشؤملا'], 'المؤشر 2022 2023'],
  ['a number in pieces', [...'نط', ' ', '1,', '848', '.3', ' ', ...'ىلإ'], 'إلى 1,848.3 طن'],
  ['what is Latin', ['ISO', ' ', '14001', ' ', ...'ىلع', ' ', ...'بيردت'], 'تدريب على ISO 14001'],
  ['brackets', ['(', ...'ةعاس', ')', ' ', ...'ءابرهك'], 'كهرباء (ساعة)'],
  ['brackets around Latin', ['(', 'CO', '2', ')', ' ', ...'نطلا'], 'الطن (CO2)'],
])('reads %s that are drawn from the left', (_, visual, text) => {
  expect(reading(visual)).toEqual([text]);
});

it('reads words that are drawn from the right', () => {
  const [first, second] = [
    { left: 100, right: 130 },
    { left: 60, right: 97.4 },
  ];
  const piece = { baseline: 100, size: SIZE, font: 'plain', ...more };
  const pieces = [
    { ...piece, ...first, text: 'تقرير', isSpaced: false },
    { ...piece, ...second, text: 'الاستدامة', isSpaced: true },
  ];
  expect(toSegments(pieces).map(textOf)).toEqual(['تقرير الاستدامة']);
});
