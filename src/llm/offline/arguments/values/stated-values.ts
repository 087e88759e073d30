import { differingPeriods } from '../amount-periods.js';
import type { Property } from './property.js';
import type { Meaning } from '../../reading/words/meaning.js';
import type { Reading } from '../../reading/read.js';
import { statedPatterns } from './stated-patterns.js';

const articles =
  /^(?:(?:l'|d'|le |la |les |un |une |the |an? |el |los |las |de |du |des |del |to |que )\s*)+/i;
/** Where a stated value ends: the clause's end, or a new «and we …». */
const clauseEnd =
  /[;!?\n。！？，；]|[.,:](?=\s|$)|\s(?:et|and|y|mais|but|pero)\s(?=(?:nous|notre|nos|we|our|nuestr|tenemos|somos|estamos|on|il|elle)\b)/iu;
const copula =
  /^[^,.;:!?\n=]{0,40}?(?:\s(?:est|sont|is|are|es|son|sera|s'appelle|se llama)\s|\s*[:=：]\s*|是|為|叫)/iu;
const trimmed = (value: string): string =>
  (clauseEnd.exec(value) ? value.slice(0, clauseEnd.exec(value)?.index) : value)
    .trim()
    .replace(/^["'«“»”\s]+|["'«“»”\s]+$/gu, '');

const mentions = (property: Property, meaning: Meaning): boolean =>
  property.nameMeanings.some((own) => own.key === meaning.key && !['company', 'profile'].includes(own.key));

/** «notre secteur est X», «city: X»: what stands after a mention of the property and an «is». */
function afterCopula(property: Property, reading: Reading): { value: string; whole: string } | null {
  for (const meaning of reading.meanings) {
    if (!mentions(property, meaning)) continue;
    const rest = reading.text.slice(meaning.end);
    const match = copula.exec(rest);
    if (!match) continue;
    const whole = rest.slice(match[0].length).split(/[.;!?\n。！？](?=\s|$)/u)[0] ?? '';
    const value = trimmed(rest.slice(match[0].length));
    if (value !== '') return { value: value.replace(articles, '').trim(), whole: whole.trim() };
  }
  return null;
}

/** «/mois» is «par mois», in the language of its unit. */
function periodText(given: string): string {
  const unit = /^\/\s?(.+)$/u.exec(given)?.[1]?.toLowerCase();
  if (unit === undefined) return given.toLowerCase();
  if (/^(?:year|month|week)$/.test(unit)) return `per ${unit}`;
  return `${/^(?:año|mes|semana)$/.test(unit) ? 'por' : 'par'} ${unit}`;
}

/** «Sénégal Textile», «installer des panneaux solaires au Mali»; a city or a sector is no country. */
const mayNamePlaces: ReadonlySet<string> = new Set(['name', 'need']);

/** «The year's footprint of 20 litres a day»: the period of an amount stands behind it. */
function inOrder(kind: string, matches: Iterable<RegExpExecArray>, { quantities }: Reading) {
  const first = quantities[0]?.start ?? 0;
  const isBehind = ({ index }: RegExpExecArray): boolean => index > first;
  return kind === 'period'
    ? [...matches].toSorted((a, b) => Number(isBehind(b)) - Number(isBehind(a)))
    : matches;
}

function byWay(kind: string, reading: Reading): string | null {
  for (const pattern of statedPatterns[kind] ?? [])
    for (const match of inOrder(kind, reading.text.matchAll(pattern), reading)) {
      const given = trimmed(match.groups?.['value'] ?? '');
      const value = kind === 'period' ? periodText(given) : given.replace(articles, '');
      const start = match.index + match[0].toLowerCase().indexOf(value.toLowerCase());
      const end = start + value.length;
      const isCountry = reading.countries.some((country) =>
        mayNamePlaces.has(kind)
          ? country.start <= start && country.end >= end
          : country.start < end && country.end > start,
      );
      if (value !== '' && !isCountry) return value;
    }
  return null;
}

/** The words a text states for a string property, or null. Nothing is guessed: the property must be spoken of. */
export function statedText(property: Property, reading: Reading): string | null {
  const kind = property.nameMeanings[0]?.key ?? '';
  // No one of several periods is that of all amounts.
  if (kind === 'period' && differingPeriods(reading).length > 0) return null;
  const stated = byWay(kind, reading) ?? afterCopula(property, reading)?.value ?? null;
  // «notre ville est belle» would be a value too; a city is at least a name.
  return kind === 'city' && stated !== null && !/^(?:\p{Lu}|\p{Script=Han})/u.test(stated) ? null : stated;
}

/** The items a text lists for an array of strings: «nos objectifs : X, Y et Z». */
export function statedList(property: Property, reading: Reading): string[] {
  const whole = afterCopula(property, reading)?.whole ?? '';
  return whole
    .split(/\s*[,、，]\s*|\s+(?:et|and|y)\s+/u)
    .map((item) => item.replace(articles, '').trim())
    .filter((item) => item !== '');
}
