/** Words for dates in the four languages, folded: lower case, without accents. */

const namesOf = (lists: readonly string[]): ReadonlyMap<string, number> =>
  new Map(lists.flatMap((list) => list.split(' ').map((name, index): [string, number] => [name, index])));

/** From 1. */
export const months = new Map(
  [
    ...namesOf([
      'january february march april may june july august september october november december',
      'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre',
      'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
    ]),
    ['sept', 8] as const,
    ['setiembre', 8] as const,
  ].map(([name, index]): [string, number] => [name, index + 1]),
);

/** 0 for Sunday. */
export const weekdays = namesOf([
  'sunday monday tuesday wednesday thursday friday saturday',
  'dimanche lundi mardi mercredi jeudi vendredi samedi',
  'domingo lunes martes miercoles jueves viernes sabado',
]);

/** Behind 星期, 週, 周 or 禮拜. */
export const chineseWeekdays = new Map(
  [...'日一二三四五六'].map((name, index): [string, number] => [name, index]),
);

const NUMBERS = [
  'one two three four five six seven eight nine ten eleven twelve',
  'un deux trois quatre cinq six sept huit neuf dix onze douze',
  'un dos tres cuatro cinco seis siete ocho nueve diez once doce',
];
const numbers = new Map<string, number>([
  ...[...namesOf(NUMBERS)].map(([name, index]): [string, number] => [name, index + 1]),
  ['a', 1],
  ['an', 1],
  ['une', 1],
  ['una', 1],
  ['couple of', 2],
  ['few', 3],
  ['quelques', 3],
  ['unos', 3],
  ['unas', 3],
]);

const CHINESE_DIGITS = '〇一二三四五六七八九';

/** `3`, `three`, `trois`, `十二`, `兩`; null: it is no number. */
export const numberOf = (word: string): number | null => {
  if (/^\d+$/.test(word)) return Number(word);
  return numbers.get(word) ?? chineseNumber(word);
};

/** Up to 99. */
const chineseNumber = (word: string): number | null => {
  if (word === '兩' || word === '两') return 2;
  if (word === '幾' || word === '几') return 3;
  const [, tens, ten, ones] = /^([一二三四五六七八九]?)(十?)([一二三四五六七八九]?)$/.exec(word) ?? [];
  if (!tens && !ten && !ones) return null;
  const digit = (character: string | undefined, otherwise: number): number =>
    character ? CHINESE_DIGITS.indexOf(character) : otherwise;
  return ten ? digit(tens, 1) * 10 + digit(ones, 0) : digit(tens || ones, 0);
};

/** What a number in front of `ago` counts. */
export type Unit = 'day' | 'week' | 'month' | 'year';

export const units: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ...(['day', 'days', 'jour', 'jours', 'dia', 'dias', '天', '日'] as const).map((name): [string, Unit] => [
    name,
    'day',
  ]),
  ...(
    ['week', 'weeks', 'semaine', 'semaines', 'semana', 'semanas', '週', '周', '星期', '禮拜', '礼拜'] as const
  ).map((name): [string, Unit] => [name, 'week']),
  ...(['month', 'months', 'mois', 'mes', 'meses', '月'] as const).map((name): [string, Unit] => [
    name,
    'month',
  ]),
  ...(['year', 'years', 'an', 'ans', 'annee', 'annees', 'ano', 'anos', '年'] as const).map(
    (name): [string, Unit] => [name, 'year'],
  ),
]);

export const alternatives = (words: Iterable<string>): string =>
  [...words].toSorted((a, b) => b.length - a.length).join('|');

export const numberWords = `\\d{1,3}|${alternatives(numbers.keys())}`;
