import { fold } from '../../../search/lexical/fold.js';
import {
  alternatives,
  chineseWeekdays,
  months,
  numberOf,
  numberWords,
  type Unit,
  units,
  weekdays,
} from './date-words.js';
import {
  dayIfAny,
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

/** Reads one way to write a date. `today` is the beginning of the day on which it is asked. */
interface Rule {
  pattern: RegExp;
  ranges(found: RegExpExecArray, today: Date): (DayRange | null)[];
}

/** Of a question that is longer, the beginning. */
const MAX_CHARACTERS = 2_000;

/** The days that a question in French, English, Spanish or Chinese names, seen from `now`, by what Dates say in UTC. */
export const datesIn = (question: string, now: Date): DayRange[] => {
  let rest = fold(question.slice(0, MAX_CHARACTERS));
  const today = startOfDay(now);
  const ranges: DayRange[] = [];
  // The exact first: what one rule has read, the vaguer ones behind it do not.
  for (const { pattern, ranges: read } of rules) {
    for (const found of rest.matchAll(pattern)) {
      ranges.push(...read(found, today).filter((range) => range !== null));
    }
    rest = rest.replaceAll(pattern, ' ; ');
  }
  return ranges;
};

const MONTH = `(${alternatives(months.keys())})`;
const WEEKDAY = `(${alternatives(weekdays.keys())})`;
const UNIT = `(${alternatives([...units.keys()].filter((name) => /^[a-z]/.test(name)))})`;
const YEAR = '((?:19|20)\\d\\d)';
const NUMBER = `(${numberWords})`;
const CHINESE_NUMBER = '(\\d{1,3}|[一二三四五六七八九十兩两幾几]{1,3})';

/** Whole words; Chinese has no blanks to look at. */
const words = (source: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'gu');
const chinese = (source: string): RegExp => new RegExp(source, 'gu');

const oneDay = (day: Date | null): DayRange | null => day && daysFrom(day, 1);

/** The day in the year that is named, or else the last time that it came round. */
const dayInYear = (month: number, day: number, year: string | undefined, today: Date): DayRange | null => {
  if (year !== undefined) return oneDay(dayIfAny(Number(year), month, day));
  const thisYear = today.getUTCFullYear();
  const date = dayIfAny(thisYear, month, day);
  return oneDay(date && date > today ? dayIfAny(thisYear - 1, month, day) : date);
};

const monthInYear = (month: number, year: string | undefined, today: Date): DayRange => {
  if (year !== undefined) return monthRange(Number(year), month);
  const thisYear = today.getUTCFullYear();
  return monthRange(month > today.getUTCMonth() + 1 ? thisYear - 1 : thisYear, month);
};

const monthOf = (name: string | undefined): number => months.get(name ?? '') ?? numberOf(name ?? '') ?? 0;

/** What was long ago is remembered less exactly. */
const ago = (count: number | null, unit: Unit | undefined, today: Date): (DayRange | null)[] => {
  if (count === null || unit === undefined || count > 200) return [];
  if (unit === 'day') return [daysAround(plusDays(today, -count), count > 5 ? 1 : 0)];
  if (unit === 'week') return [daysAround(plusDays(today, -7 * count), 3)];
  if (unit === 'month') return [daysAround(plusMonths(today, -count), 15)];
  return [yearRange(today.getUTCFullYear() - count)];
};

/** On the day itself `Tuesday` may be today, and `last Tuesday` is not always the last one: a week more is looked at. */
const lastWeekday = (weekday: number | undefined, today: Date): (DayRange | null)[] => {
  if (weekday === undefined) return [];
  const isToday = today.getUTCDay() === weekday;
  return [oneDay(weekdayBefore(today, weekday)), isToday ? oneDay(today) : null];
};

const weeksBack = (today: Date, weeks: number): DayRange => weekRange(plusDays(today, -7 * weeks));
const monthsBack = (today: Date, count: number): DayRange => {
  const day = plusMonths(today, -count);
  return monthRange(day.getUTCFullYear(), day.getUTCMonth() + 1);
};
const yearsBack = (today: Date, years: number): DayRange => yearRange(today.getUTCFullYear() - years);

/** Words that stand for one range each. */
const fixed = (latin: string, other: string, range: (today: Date) => DayRange): Rule => ({
  pattern: new RegExp(`${words(latin).source}|${other}`, 'gu'),
  ranges: (_found, today) => [range(today)],
});

const rules: readonly Rule[] = [
  {
    pattern: words(`${YEAR}-(\\d\\d)-(\\d\\d)`),
    ranges: ([, year, month, day]) => [oneDay(dayIfAny(Number(year), Number(month), Number(day)))],
  },
  {
    // Both ways to read it: the day comes first in most of the world.
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
    // `may` and `march` are verbs too, and `mars` is a planet: a word in front says that it is a month.
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
    pattern: chinese('(上{0,2})[個个]?(?:星期|禮拜|礼拜|週|周)([一二三四五六日天])'),
    ranges: ([, back = '', name = ''], today) => {
      const weekday = chineseWeekdays.get(name === '天' ? '日' : name) ?? 0;
      if (back === '') return lastWeekday(weekday, today);
      return [oneDay(plusDays(weeksBack(today, back.length).from, (weekday + 6) % 7))];
    },
  },
  {
    pattern: words(`last ${WEEKDAY}|${WEEKDAY} (?:dernier|pasado)|${WEEKDAY} de la semana pasada`),
    ranges: ([, en, fr, es], today) => {
      const weekday = weekdays.get(en ?? fr ?? es ?? '');
      if (weekday === undefined) return [];
      const last = weekdayBefore(today, weekday);
      // People say it of last week's too when this week's is just over.
      return [oneDay(last), oneDay(plusDays(weeksBack(today, 1).from, (weekday + 6) % 7))];
    },
  },
  { pattern: words(WEEKDAY), ranges: ([, name], today) => lastWeekday(weekdays.get(name ?? ''), today) },
  fixed('day before yesterday|avant[ -]hier|anteayer|antier', '前天', (today) =>
    daysFrom(plusDays(today, -2), 1),
  ),
  fixed('yesterday|last night|hier|hier soir|ayer|anoche', '昨天|昨日|昨晚', (today) =>
    daysFrom(plusDays(today, -1), 1),
  ),
  fixed(
    "today|this morning|tonight|aujourd[ '’]hui|ce matin|ce soir|hoy|esta manana|esta noche",
    '今天|今日|今早|今晚',
    (today) => daysFrom(today, 1),
  ),
  fixed(
    'last week|(?:la )?semaine (?:derniere|passee)|(?:la )?semana pasada',
    '上[個个]?(?:星期|禮拜|礼拜|週|周)',
    (today) => weeksBack(today, 1),
  ),
  fixed('this week|cette semaine|esta semana', '[這这本][個个]?(?:星期|禮拜|礼拜|週|周)', (today) =>
    weeksBack(today, 0),
  ),
  fixed('last month|(?:le )?mois (?:dernier|passe)|(?:el )?mes pasado', '上[個个]?月', (today) =>
    monthsBack(today, 1),
  ),
  fixed('this month|ce mois(?:[ -]ci)?|este mes', '[這这本][個个]?月', (today) => monthsBack(today, 0)),
  fixed("last year|l[ '’]an(?:nee)? (?:dernier|derniere|passe|passee)|(?:el )?ano pasado", '去年', (today) =>
    yearsBack(today, 1),
  ),
  fixed('this year|cette annee|este ano', '今年', (today) => yearsBack(today, 0)),
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
