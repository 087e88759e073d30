import { fold } from '../reading/words/fold.js';
import type { Reading } from '../reading/read.js';
import { setAsideIn } from './amounts/set-aside.js';
import { measuresIn } from './amounts/measures.js';
import { quotedAmounts } from './items/item-extraction.js';

const year = '((?:19|20)\\d{2})(?!\\d)';
const often =
  '(?:(?:par|chaque|an?|per|each|every|al|por|cada)\\s|/\\s?)(an|mois|jour|sem(?:aine)?|trimestre|heure|year|month|week|day|quarter|hour|ano|mes|semana|dia|hora)(?![\\p{L}])|(每(?:年|個?月|週|天|日|季))';
const several =
  '\\b(?:pour|sur|en|pendant|tou(?:s|tes) les|for|over|in|every|durante|por|cada)\\s(\\d{1,3}\\s(?:mois|semaines|jours|trimestres|months|weeks|days|quarters|meses|semanas|dias))(?![\\p{L}])';
/** «… kWh en 2023», «… litres par mois», «… L/mois», «… kWh pour 2 mois» */
const behind = new RegExp(
  `^[^.;!?。]*?(?:\\b(?:en|in|de|for|pour)\\s${year}|[(,]\\s?${year}|${often}|${several})`,
  'u',
);
/** «2023 : 50 000 kWh», «en 2023, nous avons consommé 50 000 kWh» */
const ahead = new RegExp(
  `(?<![\\d])${year}(?!\\s(?:et|and|y)\\s)\\s?(?:[:=,)：]|年)?\\s?(?:[\\p{L}']+\\s){0,4}$`,
  'u',
);

const keys: readonly (readonly [RegExp, string])[] = [
  [/heure|hour|hora/, 'hour'],
  [/jour|day|dia|[天日]/, 'day'],
  [/sem|week|週/, 'week'],
  [/mois|month|mes|月/, 'month'],
  [/trimestre|quarter|季/, 'quarter'],
  [/an|year|ano|年/, 'year'],
];
const keyOf = (said: string): string =>
  (/^\d/.test(said) ? null : keys.find(([pattern]) => pattern.test(fold(said)))?.[1]) ?? said;
const isYear = (said: string): boolean => /^\d{4}$/.test(said);

/** What is said of when each counted amount of a text was used: a year, or how often it comes; null: nothing. */
function saidOfEach(reading: Reading): (string | null)[] {
  const { folded } = reading;
  const measures = measuresIn(reading);
  const setAside = setAsideIn(reading);
  const said = measures.map(({ start, end }, at) => {
    const before = ahead.exec(folded.slice(measures[at - 1]?.end ?? 0, start))?.[1];
    const rest = folded.slice(end, measures[at + 1]?.start);
    // A year ahead of the next amount is that one's.
    const own = at + 1 < measures.length ? rest.slice(0, ahead.exec(rest)?.index) : rest;
    return before ?? behind.exec(own)?.slice(1).find(Boolean) ?? null;
  });
  return said.filter((_, at) => !measures.slice(at, at + 1).some((quantity) => setAside.has(quantity)));
}

/**
 * Where the amounts of a text are not of one period, what each is of, in its own words; else empty. What stands behind
 * several amounts is said of all of them; what stands behind others only is not said of the last.
 */
export function differingPeriods(reading: Reading): string[] {
  const said = saidOfEach(reading);
  const named = new Map(said.flatMap((each) => (each === null ? [] : [[keyOf(each), each] as const])));
  const isOpen = said.at(-1) === null && [...named.values()].some((each) => !isYear(each));
  const last = isOpen ? quotedAmounts(reading, measuresIn(reading).slice(-1)) : [];
  const all = [...named.values(), ...last];
  return all.length > 1 ? all : [];
}
