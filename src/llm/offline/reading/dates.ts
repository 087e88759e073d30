import { apartFrom, byStart } from './spans.js';

export interface FoundDate {
  /** YYYY-MM-DD. */
  iso: string;
  start: number;
  end: number;
}

const monthNames = [
  'janvier|janv|january|jan|enero|ene',
  'fevrier|fevr|february|feb|febrero',
  'mars|march|mar|marzo',
  'avril|avr|april|apr|abril|abr',
  'mai|may|mayo',
  'juin|june|jun|junio',
  'juillet|juil|july|jul|julio',
  'aout|august|aug|agosto|ago',
  'septembre|sept|september|sep|septiembre',
  'octobre|october|oct|octubre',
  'novembre|november|nov|noviembre',
  'decembre|december|dec|diciembre|dic',
];
const monthByName = new Map(
  monthNames.flatMap((names, at) => names.split('|').map((name) => [name, at + 1])),
);
const month = `(?<name>${[...monthByName.keys()].toSorted((a, b) => b.length - a.length).join('|')})\\.?`;
const year = '(?<year>(?:19|20)\\d{2})';

const patterns: readonly RegExp[] = [
  new RegExp(`(?<!\\d)${year}-(?<month>\\d{2})-(?<day>\\d{2})(?!\\d)`, 'g'),
  new RegExp(`(?<!\\d)(?<first>\\d{1,2})[/.-](?<second>\\d{1,2})[/.-]${year}(?!\\d)`, 'g'),
  new RegExp(
    `(?<!\\d)(?<day>\\d{1,2})(?:er|st|nd|rd|th)? (?:de |of )?${month} (?:de |del )?${year}(?!\\d)`,
    'g',
  ),
  new RegExp(`(?<![a-z])${month} (?<day>\\d{1,2})(?:st|nd|rd|th)?,? ${year}(?!\\d)`, 'g'),
  new RegExp(`${year} ?年 ?(?<month>\\d{1,2}) ?月 ?(?<day>\\d{1,2}) ?日`, 'g'),
];

function toIso(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? date.toISOString().slice(0, 10)
    : null;
}

function isoOf(groups: Record<string, string | undefined>): string | null {
  const year = Number(groups['year']);
  const first = groups['first'];
  const second = groups['second'];
  // 12/03/2025 is the twelfth of March, as nearly everywhere; only 03/25/2025 can be read month first.
  if (first && second)
    return toIso(year, Number(second), Number(first)) ?? toIso(year, Number(first), Number(second));
  const monthNumber = groups['name'] ? monthByName.get(groups['name']) : Number(groups['month']);
  return toIso(year, monthNumber ?? 0, Number(groups['day']));
}

/** The whole dates of a folded text, in the ways French, English, Spanish and Chinese write them. */
export function findDates(folded: string): FoundDate[] {
  const found: FoundDate[] = [];
  for (const pattern of patterns) {
    const dates = Array.from(folded.matchAll(pattern)).flatMap((match) => {
      const iso = isoOf(match.groups ?? {});
      return iso ? [{ iso, start: match.index, end: match.index + match[0].length }] : [];
    });
    found.push(...apartFrom(dates, found));
    found.sort(byStart);
  }
  return found;
}
