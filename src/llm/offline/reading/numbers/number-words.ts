import { wordsOf } from '../words/fold.js';
import type { FoundNumber } from './found-number.js';

const list = (terms: string, values: readonly number[]): [string, number][] =>
  terms.split(' ').map((term, at) => [term, values[at] ?? 0]);

const oneToTwenty = Array.from({ length: 20 }, (_, at) => at + 1);
const hundreds = [200, 300, 400, 500, 600, 700, 800, 900];

/** What adds to the hundred it stands in: 1 to 99, and the Spanish hundreds. */
const addends: ReadonlyMap<string, number> = new Map([
  ...list(
    'un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize',
    oneToTwenty,
  ),
  ...list('vingt trente quarante cinquante soixante', [20, 30, 40, 50, 60]),
  // Switzerland, Belgium and central Africa
  ...list('septante huitante octante nonante', [70, 80, 80, 90]),
  ...list(
    'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
    oneToTwenty,
  ),
  ...list('thirty forty fifty sixty seventy eighty ninety', [30, 40, 50, 60, 70, 80, 90]),
  ...list(
    'uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte',
    oneToTwenty,
  ),
  ...list(
    'veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve',
    [21, 22, 23, 24, 25, 26, 27, 28, 29],
  ),
  ...list('treinta cuarenta cincuenta sesenta setenta ochenta noventa', [30, 40, 50, 60, 70, 80, 90]),
  ...list('une una veintiun', [1, 1, 21]),
  ...list(
    'doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos',
    hundreds,
  ),
  ...list(
    'doscientas trescientas cuatrocientas quinientas seiscientas setecientas ochocientas novecientas',
    hundreds,
  ),
]);
const hundredWords = new Set('cent cents hundred hundreds cien ciento'.split(' '));
const scales: ReadonlyMap<string, number> = new Map([
  ...list('mille mil thousand', [1e3, 1e3, 1e3]),
  ...list('million millions millon millones', [1e6, 1e6, 1e6, 1e6]),
  ...list('milliard milliards billion', [1e9, 1e9, 1e9]),
]);
const weakAlone = new Set(
  'un une one uno una neuf dos tres once mille mil cent cents cien million'.split(' '),
);

/** A number being read: what is closed by a thousand or million, and the part below. */
interface Sum {
  closed: number;
  open: number;
}

/** «vingt» after «quatre» is 80; «dix» after «soixante» is 70. Null: the word begins another number. */
function withAddend({ closed, open }: Sum, value: number, word: string): Sum | null {
  if (word.startsWith('vingt') && open % 100 === 4) return { closed, open: open + 76 };
  const room = open % 100;
  const fits =
    room === 0 ||
    (value < 10 && room % 10 === 0) ||
    (value < 20 && value >= 10 && (room === 60 || room === 80));
  return fits && value + open < 1000 ? { closed, open: open + value } : null;
}

/** The sum with one more word; null when the word is no number or begins another one. */
function extended(sum: Sum, word: string): Sum | null {
  const singular = word === 'vingts' ? 'vingt' : word;
  const addend = addends.get(singular);
  if (addend !== undefined) return withAddend(sum, addend, singular);
  if (hundredWords.has(word)) {
    return sum.open < 20 ? { closed: sum.closed, open: (sum.open || 1) * 100 } : null;
  }
  const scale = scales.get(word);
  if (scale === undefined) return null;
  // «cinco mil millones»: a million of what was closed by the thousand.
  const all = sum.open === 0 && sum.closed > 0 && sum.closed < scale ? sum.closed : 0;
  if (all > 0) return { closed: all * scale, open: 0 };
  return sum.closed === 0 || sum.closed > scale
    ? { closed: sum.closed + (sum.open || 1) * scale, open: 0 }
    : null;
}

/** The numbers that a folded text spells in French, English or Spanish. */
export function findSpelledNumbers(folded: string): FoundNumber[] {
  const words = wordsOf(folded);
  const found: FoundNumber[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const run = runAt(folded, words, at);
    if (!run) continue;
    const first = words[at];
    const last = words[at + run.length - 1];
    if (!first || !last) continue;
    const weak = run.length === 1 && weakAlone.has(first.text);
    found.push({ value: run.value, start: first.start, end: last.end, weak });
    at += run.length - 1;
  }
  return found;
}

const joints = new Set(['et', 'and', 'y']);

/** The longest number that starts at a word, and how many words it takes. */
function runAt(
  folded: string,
  words: ReturnType<typeof wordsOf>,
  from: number,
): { value: number; length: number } | null {
  let sum = extended({ closed: 0, open: 0 }, words[from]?.text ?? '');
  if (!sum) return null;
  let length = 1;
  for (let at = from + 1; at < words.length; at += 1) {
    const joined = joints.has(words[at]?.text ?? '');
    const next = joined ? at + 1 : at;
    const gap = folded.slice(words[from + length - 1]?.end, words[next]?.start);
    const touching = joined ? /^ (?:et|and|y) $/.test(gap) : /^[ -]$/.test(gap);
    // «vingt et un», «two hundred and five»; but «deux et trois» are two.
    const mayJoin: boolean = !joined || sum.open === 0 || sum.open % 10 === 0;
    const longer: Sum | null = touching && mayJoin ? extended(sum, words[next]?.text ?? '') : null;
    if (!longer) break;
    sum = longer;
    at = next;
    length = next - from + 1;
  }
  return { value: sum.closed + sum.open, length };
}
