import { fold } from '@palabre/lexical';

import {
  dayIfAny,
  dayOf,
  type DayRange,
  daysAround,
  daysFrom,
  monthRange,
  plusDays,
  plusMonths,
  startOfDay,
  weekdayBefore,
  weekRange,
  yearRange,
} from './day-range.js';

const LANGUAGES = ['en', 'fr', 'es'];

/** The folded names of these days in the three languages, with their index among the days. */
function namesIn(part: 'month' | 'weekday', days: readonly Date[]): Map<string, number> {
  const formats = LANGUAGES.map(
    (language) => new Intl.DateTimeFormat(language, { [part]: 'long', timeZone: 'UTC' }),
  );
  return new Map(
    formats.flatMap((format) =>
      days.map((day, place): [string, number] => [fold(format.format(day)), place]),
    ),
  );
}

/** Indexes from 0. */
const months = namesIn(
  'month',
  Array.from({ length: 12 }, (_, month) => dayOf(2023, month + 1, 1)),
)
  .set('sept', 8)
  .set('setiembre', 8);

/** Indexes from 0 for Sunday: 1 January 2023 was a Sunday. */
const weekdays = namesIn(
  'weekday',
  Array.from({ length: 7 }, (_, day) => dayOf(2023, 1, day + 1)),
);

/** Other words for dates in the four languages, folded, with their index or value. */
function listed(words: string): [string, number][] {
  return words.split(' ').map((word, place) => [word, place]);
}
function meaning<Value>(value: Value, words: string): [string, Value][] {
  return words.split(' ').map((word) => [word, value]);
}

/** The characters after 星期, 週, 周 or 禮拜. */
const chineseWeekdays = new Map([...listed('日 一 二 三 四 五 六'), ['天', 0] as const]);

const numbers = new Map<string, number>([
  ...listed('zero one two three four five six seven eight nine ten eleven twelve'),
  ...listed('zero un deux trois quatre cinq six sept huit neuf dix onze douze'),
  ...listed('cero un dos tres cuatro cinco seis siete ocho nueve diez once doce'),
  ...meaning(1, 'a an une una'),
  ...meaning(3, 'few quelques unos unas'),
  ['couple of', 2],
]);

const CHINESE_DIGITS = '〇一二三四五六七八九';

/** Reads `3`, `three`, `trois`, `十二` or `兩`; null: not a number. */
function numberOf(word: string): number | null {
  if (/^\d+$/.test(word)) return Number(word);
  return numbers.get(word) ?? chineseNumber(word);
}

/** Up to 99. */
function chineseNumber(word: string): number | null {
  if (word === '兩' || word === '两') return 2;
  if (word === '幾' || word === '几') return 3;
  const [, tens, ten, ones] = /^([一二三四五六七八九]?)(十?)([一二三四五六七八九]?)$/.exec(word) ?? [];
  if (!tens && !ten && !ones) return null;
  const digit = (character: string | undefined, otherwise: number): number =>
    character ? CHINESE_DIGITS.indexOf(character) : otherwise;
  return ten ? digit(tens, 1) * 10 + digit(ones, 0) : digit(tens || ones, 0);
}

/** The units of phrases such as `three weeks ago`. */
type Unit = 'day' | 'week' | 'month' | 'year';

const units = new Map<string, Unit>([
  ...meaning<Unit>('day', 'day days jour jours dia dias 天 日'),
  ...meaning<Unit>('week', 'week weeks semaine semaines semana semanas 週 周 星期 禮拜 礼拜'),
  ...meaning<Unit>('month', 'month months mois mes meses 月'),
  ...meaning<Unit>('year', 'year years an ans annee annees ano anos 年'),
]);

function alternatives(words: Iterable<string>): string {
  return [...words].toSorted((a, b) => b.length - a.length).join('|');
}

/** Recognises one way to write dates. `today` is the start of the day of the question. */
interface Rule {
  pattern: RegExp;
  ranges(found: RegExpExecArray, today: Date): (DayRange | null)[];
}

/** Only the beginning of a longer question is read. */
const MAX_CHARACTERS = 2_000;

/** The days named in a French, English, Spanish or Chinese question, relative to `now`, by UTC fields. */
export function datesIn(question: string, now: Date): DayRange[] {
  let rest = fold(question.slice(0, MAX_CHARACTERS));
  const today = startOfDay(now);
  const ranges: DayRange[] = [];
  // Exact rules come first. Matched text is removed, so that vaguer rules do not match it again.
  for (const { pattern, ranges: read } of rules) {
    for (const found of rest.matchAll(pattern))
      ranges.push(...read(found, today).filter((range) => range !== null));
    rest = rest.replaceAll(pattern, ' ; ');
  }
  return ranges;
}

const MONTH = `(${alternatives(months.keys())})`;
const WEEKDAY = `(${alternatives(weekdays.keys())})`;
const UNIT = `(${alternatives([...units.keys()].filter((name) => /^[a-z]/.test(name)))})`;
const YEAR = '((?:19|20)\\d\\d)';
const NUMBER = `(\\d{1,3}|${alternatives(numbers.keys())})`;
const CHINESE_NUMBER = '(\\d{1,3}|[一二三四五六七八九十兩两幾几]{1,3})';

/** Matches whole words only. Chinese has no word boundaries: see `chinese`. */
function words(source: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'gu');
}
function chinese(source: string): RegExp {
  return new RegExp(source, 'gu');
}

function oneDay(day: Date | null): DayRange | null {
  return day && daysFrom(day, 1);
}

/** The day in the given year; without a year, its last occurrence. */
function dayInYear(month: number, day: number, year: string | undefined, today: Date): DayRange | null {
  if (year !== undefined) return oneDay(dayIfAny(Number(year), month, day));
  const thisYear = today.getUTCFullYear();
  const date = dayIfAny(thisYear, month, day);
  return oneDay(date && date > today ? dayIfAny(thisYear - 1, month, day) : date);
}

function monthInYear(month: number, year: string | undefined, today: Date): DayRange {
  if (year !== undefined) return monthRange(Number(year), month);
  const thisYear = today.getUTCFullYear();
  return monthRange(month > today.getUTCMonth() + 1 ? thisYear - 1 : thisYear, month);
}

function monthOf(name = ''): number {
  const month = months.get(name);
  return month === undefined ? (numberOf(name) ?? 0) : month + 1;
}

/** The range widens with distance, as people remember distant dates less exactly. */
function ago(count: number | null, unit: Unit | undefined, today: Date): (DayRange | null)[] {
  if (count === null || unit === undefined || count > 200) return [];
  if (unit === 'day') return [daysAround(plusDays(today, -count), count > 5 ? 1 : 0)];
  if (unit === 'week') return [daysAround(plusDays(today, -7 * count), 3)];
  if (unit === 'month') return [daysAround(plusMonths(today, -count), 15)];
  return [back(today, count, unit)];
}

/** The last such weekday, and today as well if today is that weekday. */
function lastWeekday(weekday: number | undefined, today: Date): (DayRange | null)[] {
  if (weekday === undefined) return [];
  const isToday = today.getUTCDay() === weekday;
  return [oneDay(weekdayBefore(today, weekday)), isToday ? oneDay(today) : null];
}

/** The day, week, month or year `count` units ago. */
function back(today: Date, count: number, unit: Unit): DayRange {
  if (unit === 'day') return daysFrom(plusDays(today, -count), 1);
  if (unit === 'week') return weekRange(plusDays(today, -7 * count));
  const month = plusMonths(today, unit === 'month' ? -count : -12 * count);
  const year = month.getUTCFullYear();
  return unit === 'year' ? yearRange(year) : monthRange(year, month.getUTCMonth() + 1);
}

/** The weekday in the week `count` weeks ago. */
function weekdayBack(today: Date, weekday: number, weeks: number): DayRange | null {
  return oneDay(plusDays(back(today, weeks, 'week').from, (weekday + 6) % 7));
}

const CHINESE_WEEK = '[個个]?(?:星期|禮拜|礼拜|週|周)';

/** Phrases for a day, week, month or year: how many units ago, with the words with and without alphabets. */
const phrases: readonly [count: number, unit: Unit, latin: string, chinese: string][] = [
  [2, 'day', 'day before yesterday|avant[ -]hier|anteayer|antier', '前天'],
  [1, 'day', 'yesterday|last night|hier|hier soir|ayer|anoche', '昨天|昨日|昨晚'],
  [
    0,
    'day',
    "today|this morning|tonight|aujourd[ '’]hui|ce matin|ce soir|hoy|esta manana|esta noche",
    '今天|今日|今早|今晚',
  ],
  [1, 'week', 'last week|(?:la )?semaine (?:derniere|passee)|(?:la )?semana pasada', `上${CHINESE_WEEK}`],
  [0, 'week', 'this week|cette semaine|esta semana', `[這这本]${CHINESE_WEEK}`],
  [1, 'month', 'last month|(?:le )?mois (?:dernier|passe)|(?:el )?mes pasado', '上[個个]?月'],
  [0, 'month', 'this month|ce mois(?:[ -]ci)?|este mes', '[這这本][個个]?月'],
  [1, 'year', "last year|l[ '’]an(?:nee)? (?:dernier|derniere|passe|passee)|(?:el )?ano pasado", '去年'],
  [0, 'year', 'this year|cette annee|este ano', '今年'],
];

const rules: readonly Rule[] = [
  {
    pattern: words(`${YEAR}-(\\d\\d)-(\\d\\d)`),
    ranges: ([, year, month, day]) => [oneDay(dayIfAny(Number(year), Number(month), Number(day)))],
  },
  {
    // Day and month may come in either order.
    pattern: words(`(\\d\\d?)[/.](\\d\\d?)[/.]${YEAR}`),
    ranges: ([, one, other, year]) => [
      oneDay(dayIfAny(Number(year), Number(other), Number(one))),
      one === other ? null : oneDay(dayIfAny(Number(year), Number(one), Number(other))),
    ],
  },
  {
    pattern: chinese(`(?:${YEAR} ?年 ?)?${CHINESE_NUMBER} ?月 ?${CHINESE_NUMBER} ?[日號号]`),
    ranges: ([, year, month, day], today) => [
      dayInYear(monthOf(month), numberOf(day ?? '') ?? 0, year, today),
    ],
  },
  {
    pattern: words(`(\\d\\d?)(?:st|nd|rd|th|er)? (?:of |de )?${MONTH}(?:,? (?:de |del )?${YEAR})?`),
    ranges: ([, day, month, year], today) => [dayInYear(monthOf(month), Number(day), year, today)],
  },
  {
    pattern: words(`${MONTH} (\\d\\d?)(?:st|nd|rd|th)?(?:,? ${YEAR})?`),
    ranges: ([, month, day, year], today) => [dayInYear(monthOf(month), Number(day), year, today)],
  },
  {
    pattern: words(`${MONTH},? (?:of |de |del )?${YEAR}`),
    ranges: ([, month, year], today) => [monthInYear(monthOf(month), year, today)],
  },
  {
    pattern: chinese(`${YEAR} ?年 ?${CHINESE_NUMBER} ?月`),
    ranges: ([, year, month], today) => [monthInYear(monthOf(month), year, today)],
  },
  {
    // `may` and `march` are also verbs, and `mars` a planet: a preceding word shows that it is a month.
    pattern: words(
      `(?:in|of|during|since|last|this|early|mid|late|en|au mois de|debut|fin|mi|depuis|de|desde|a finales de|a principios de)[ -]${MONTH}|${MONTH} (?:dernier|pasado)`,
    ),
    ranges: ([, month, after], today) => [monthInYear(monthOf(month ?? after), undefined, today)],
  },
  {
    pattern: words(`${NUMBER} ${UNIT} (?:ago|earlier|before)|(?:il y a|hace) ${NUMBER} ${UNIT}`),
    ranges: ([, count, unit, otherCount, otherUnit], today) =>
      ago(numberOf(count ?? otherCount ?? ''), units.get(unit ?? otherUnit ?? ''), today),
  },
  {
    pattern: chinese(`${CHINESE_NUMBER} ?[個个]?(天|日|週|周|星期|禮拜|礼拜|月|年)(?:以?前)`),
    ranges: ([, count, unit], today) => ago(numberOf(count ?? ''), units.get(unit ?? ''), today),
  },
  {
    pattern: chinese(`(上{0,2})${CHINESE_WEEK}([一二三四五六日天])`),
    ranges: ([, weeks = '', name = ''], today) => {
      const weekday = chineseWeekdays.get(name) ?? 0;
      return weeks === '' ? lastWeekday(weekday, today) : [weekdayBack(today, weekday, weeks.length)];
    },
  },
  {
    pattern: words(`last ${WEEKDAY}|${WEEKDAY} (?:dernier|pasado)|${WEEKDAY} de la semana pasada`),
    ranges: ([, en, fr, es], today) => {
      const weekday = weekdays.get(en ?? fr ?? es ?? '');
      if (weekday === undefined) return [];
      // `Last Tuesday` may also mean the one of last week.
      return [oneDay(weekdayBefore(today, weekday)), weekdayBack(today, weekday, 1)];
    },
  },
  { pattern: words(WEEKDAY), ranges: ([, name], today) => lastWeekday(weekdays.get(name ?? ''), today) },
  ...phrases.map(([count, unit, latin, other]): Rule => ({
    pattern: new RegExp(`${words(latin).source}|${other}`, 'gu'),
    ranges: (_found, today) => [back(today, count, unit)],
  })),
  {
    pattern: words(`(?:in|en|of|during|since|de|depuis|desde|annee|ano|year) ${YEAR}`),
    ranges: ([, year]) => [yearRange(Number(year))],
  },
  { pattern: chinese(`${YEAR} ?年`), ranges: ([, year]) => [yearRange(Number(year))] },
  {
    pattern: chinese('(?<!個|个)(1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?!前)'),
    ranges: ([, month], today) => [monthInYear(monthOf(month), undefined, today)],
  },
];
