import { fold, isHan, tidy, type Word, wordsOf } from './words/fold.js';

export interface FoundCountry {
  /** ISO 3166-1 alpha-2. */
  code: string;
  start: number;
  end: number;
}

/** Codes that Intl knows and ISO 3166-1 does not assign: groups of states, reservations, test codes. */
const notAssigned = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ'.split(' '));

const otherNames: Readonly<Record<string, string>> = {
  BF: 'Burkina',
  CD: 'RDC|DRC|RD Congo|DR Congo|République démocratique du Congo|Democratic Republic of the Congo|Congo-Kinshasa|剛果民主共和國',
  CF: 'Centrafrique',
  CG: 'République du Congo|Republic of the Congo|Congo-Brazzaville|Congo',
  CI: 'Ivory Coast|Costa de Marfil|Cote Ivoire|科特迪瓦',
  CN: '中國|Chine populaire',
  CV: 'Cap Vert|Cabo Verde',
  CZ: 'République tchèque|Czech Republic|República Checa',
  GB: 'UK|Grande-Bretagne|Angleterre|Great Britain|England|Gran Bretaña|Inglaterra',
  HK: 'Hong Kong|Hongkong|香港',
  KR: 'South Korea|Corée du Sud|Corea del Sur|南韓',
  MM: 'Birmanie|Burma|Birmania',
  MO: 'Macao|Macau|澳門',
  NL: 'Hollande|Holland|Holanda',
  PS: 'Palestine|Palestina',
  MK: 'Macédoine|Macedonia',
  TR: 'Turkey',
  SZ: 'Swaziland|Suazilandia',
  TW: '臺灣|台湾|R.O.C.',
  US: "USA|U.S.A.|États-Unis d'Amérique|United States of America|Estados Unidos de América|EE. UU.|EEUU",
};

/** Names that are also everyday words: a country only with its capital letter. */
const everydayWords = new Set(['turkey', 'chad', 'jordan', 'jersey', 'maurice', 'guinea', 'usa']);

const keyOf = (name: string): string =>
  wordsOf(fold(tidy(name)))
    .map((word) => word.text)
    .join(' ');

/** All assigned ISO 3166-1 alpha-2 codes. */
export const countryCodes: readonly string[] = (() => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  // A withdrawn code (DD, YU) is an alias of another, which Intl.Locale resolves.
  return pairs.filter(
    (code) => names.of(code) && !notAssigned.has(code) && new Intl.Locale(`und-${code}`).region === code,
  );
})();

const codeByName: ReadonlyMap<string, string> = (() => {
  const map = new Map<string, string>();
  for (const language of ['fr', 'en', 'es', 'zh-Hant', 'zh-Hans']) {
    const names = new Intl.DisplayNames(language, { type: 'region' });
    for (const code of countryCodes) map.set(keyOf(names.of(code) ?? code), code);
  }
  for (const [code, names] of Object.entries(otherNames))
    for (const name of names.split('|')) map.set(keyOf(name), code);
  return map;
})();
const longestName = Math.max(...Array.from(codeByName.keys(), (name) => name.split(' ').length));

const longestHan = Math.max(...Array.from(codeByName.keys(), (name) => (isHan(name) ? name.length : 0)));

function inHan(text: string, start: number): FoundCountry[] {
  const found: FoundCountry[] = [];
  for (let at = 0; at < text.length; at += 1)
    for (let length = Math.min(longestHan, text.length - at); length >= 2; length -= 1) {
      const code = codeByName.get(text.slice(at, at + length));
      if (!code) continue;
      found.push({ code, start: start + at, end: start + at + length });
      at += length - 1;
      break;
    }
  return found;
}

/** The country whose name starts at a word, with the number of words it takes. */
function countryAt(
  text: string,
  words: readonly Word[],
  at: number,
): { code: string; length: number } | null {
  const first = words[at];
  const capital = /\p{Lu}/u.test(text[first?.start ?? 0] ?? '');
  for (let length = Math.min(longestName, words.length - at); length > 0; length -= 1) {
    const run = words.slice(at, at + length);
    const name = run.map((word) => word.text).join(' ');
    const code = codeByName.get(name);
    if (code && (capital || !everydayWords.has(name))) return { code, length };
  }
  return null;
}

/** The countries a text names, longest name first at each place. `folded` is `fold(text)`. */
export function findCountries(text: string, folded: string): FoundCountry[] {
  const words = wordsOf(folded);
  const found: FoundCountry[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const first = words[at];
    if (!first) continue;
    const country = countryAt(text, words, at);
    if (!country && isHan(first.text)) found.push(...inHan(first.text, first.start));
    if (!country) continue;
    const last = words[at + country.length - 1] ?? first;
    found.push({ code: country.code, start: first.start, end: last.end });
    at += country.length - 1;
  }
  return found.length > 0 ? found : bareCodes(text);
}

/** «(SN)» and «pays : SN»: two capitals alone are too often something else (CA, RH, IT). */
function bareCodes(text: string): FoundCountry[] {
  const pattern = /(?:\(|(?:pays|country|país|國家)\s*[:=]?\s*)([A-Z]{2})(?![\p{L}\p{N}])/giu;
  return Array.from(text.matchAll(pattern)).flatMap((match) => {
    const code = match[1] ?? '';
    const end = match.index + match[0].length;
    return countryCodes.includes(code) ? [{ code, start: end - 2, end }] : [];
  });
}
