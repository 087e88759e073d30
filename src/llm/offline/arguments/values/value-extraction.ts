import { bestValue, glossaryOf } from './enum-glossary.js';
import { enumOf, isCountry, isCurrency, isUnit, ownDescription, type Property } from './property.js';
import { meaningsOf, sameMeaning } from '../../reading/words/meaning.js';
import { countryOfCities } from '../../reading/cities.js';
import type { Quantity } from '../../reading/numbers/quantity.js';
import type { Reading } from '../../reading/read.js';
import { unitNamed } from '../../reading/numbers/units.js';
import { statedText } from './stated-values.js';

/** Members of the central African franc zone: their «FCFA» is another currency. */
const centralFrancZone = new Set(['CM', 'CF', 'TD', 'CG', 'GA', 'GQ']);

export const currencyOf = (quantity: Quantity, reading: Reading): string => {
  const key = quantity.unit?.key ?? '';
  return key === 'XOF' && reading.countries.some(({ code }) => centralFrancZone.has(code)) ? 'XAF' : key;
};

/** What a text states for a string property. */
export function textFor(property: Property, reading: Reading): string | undefined {
  const format = property.schema['format'];
  if (isCountry(property)) return reading.countries[0]?.code ?? countryOfCities(reading.text) ?? undefined;
  if (format === 'date') return reading.dates[0]?.iso;
  if (format === 'date-time') return reading.dates[0] && `${reading.dates[0].iso}T00:00:00Z`;
  if (format === 'uri' || format === 'url')
    return /https?:\/\/[^\s<>"'»]+[^\s<>"'».,;:!?)]/u.exec(reading.text)?.[0];
  if (format === 'email') return /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/u.exec(reading.text)?.[0];
  if (isCurrency(property)) {
    const money = reading.quantities.find(({ unit }) => unit?.dimension === 'money');
    return money && currencyOf(money, reading);
  }
  const values = enumOf(property);
  if (values.length > 0) return enumValue(property, values, reading);
  const wholeQuestion = /^(?:q|query|question|text|prompt|message|content|request|input|search|task)$/i.test(
    property.name,
  );
  if (wholeQuestion && property.required) return reading.text.trim();
  return statedText(property, reading) ?? (property.required ? calledText(property, reading) : undefined);
}

function enumValue(property: Property, values: readonly string[], reading: Reading): string | undefined {
  if (isUnit(property)) {
    const stated = reading.quantities.find(({ unit }) =>
      values.some((value) => unit && unitNamed(value)?.key === unit.key),
    );
    return values.find((value) => unitNamed(value)?.key === stated?.unit?.key);
  }
  // A value of two letters is a code: as a word of the text (es, en, no) it would mean something else.
  const words = values.filter((value) => value.length > 2);
  const glossary = glossaryOf(words, property.description);
  const wanted = reading.meanings.filter(({ start }) => !isDenied(reading, start));
  const best = bestValue(glossary, wanted)?.value;
  if (best === undefined || wanted.length === reading.meanings.length || property.required) return best;
  // «Ni prêt»: of what is left none is more wanted than another.
  const single = new Set(wanted.flatMap((meaning) => bestValue(glossary, [meaning])?.value ?? []));
  return single.size > 1 ? undefined : best;
}

const longestDenial = 40;
/** «une subvention pas un prêt», «sauf les prêts», «but not loans», «no préstamos», «不要貸款». */
const denial =
  /(?<![\p{L}'])(?:pas|ni|sauf|sans|hors|hormis|excepte|non|plutot qu(?:e|')|au lieu|not|no|nor|without|except(?: for)?|excluding|instead of|rather than|sin|salvo|excepto|en vez|en lugar)(?:\s|(?<='))(?:(?:de|des|du|d'|les|le|la|l'|un|une|any|an?|the|el|los|las|una?|aux?)\s?){0,3}$|(?:不要|不是|不需要|而非|除了)$/u;

const isDenied = ({ folded }: Reading, start: number): boolean =>
  denial.test(folded.slice(Math.max(0, start - longestDenial), start));

/** «pedido A-1234», «le client "Diop et fils"»: what stands behind the name of a property, written like a name or a number. */
const called =
  /^\s*(?:(?:n[°º]|no\.|num[ée]ro|número|number|de|del|du|of|d'|:|：|#|是|為)\s*){0,3}(?:["«“「]\s*(?<quoted>[^"»”」]{1,80}?)\s*["»”」]|(?<word>(?:\p{Lu}[\p{L}\d._/-]*|[\p{L}._/-]*\d[\p{L}\d._/-]*)(?:\s\p{Lu}[\p{L}\d-]+){0,2}))/u;

function calledText(property: Property, reading: Reading): string | undefined {
  for (const meaning of reading.meanings) {
    if (!property.nameMeanings.some((own) => sameMeaning(own, meaning))) continue;
    const { quoted, word } = called.exec(reading.text.slice(meaning.end))?.groups ?? {};
    const value = (quoted ?? word)?.replace(/[._/-]+$/, '');
    if (value) return value;
  }
  return undefined;
}

const longestClause = 200;

/** Other words for a property, which its description has in brackets: «(amont, WTT)». */
const bracketed = (property: Property): string[] =>
  Array.from(ownDescription(property).matchAll(/\(([^()]{2,80})\)/g)).flatMap(
    (match) => match[1]?.split(/\s*[,;|]\s*/) ?? [],
  );

/** Whether a text says or denies what a property is called. */
export function booleanFor(property: Property, reading: Reading): boolean | undefined {
  const said = new Map(reading.meanings.map((meaning) => [meaning.key, meaning]));
  const phrases = [property.nameMeanings, ...bracketed(property).map(meaningsOf)];
  const [spoken] = phrases.find((own) => own.length > 0 && own.every(({ key }) => said.has(key))) ?? [];
  const start = spoken && said.get(spoken.key)?.start;
  if (start === undefined) return undefined;
  const clause =
    reading.folded
      .slice(Math.max(0, start - longestClause), start)
      .split(/[,.;:!?]/)
      .at(-1) ?? '';
  return !/\b(?:pas|ne|n'|sans|not|no|without|don't|sin)\b|不|沒/u.test(clause);
}
