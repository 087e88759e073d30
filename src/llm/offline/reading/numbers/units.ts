import { fold, isHan } from '../words/fold.js';

export type Dimension =
  | 'energy'
  | 'volume'
  | 'mass'
  | 'distance'
  | 'passenger-distance'
  | 'freight'
  | 'time'
  | 'share'
  | 'area'
  | 'power'
  | 'stay'
  | 'money';

export interface Unit {
  /** Its usual sign (kWh, litre, kg), or the ISO 4217 code of a currency. */
  key: string;
  dimension: Dimension;
  /** How many of the dimension's first unit it makes. 1 for currencies, which are not converted. */
  factor: number;
}

const table: readonly (readonly [key: string, dimension: Dimension, factor: number, terms: string])[] = [
  [
    'kWh',
    'energy',
    1,
    'kwh|kw h|kilowattheure|kilowatt heure|kilowatt hour|kilovatio hora|kilovatios hora|kilowatts heure|kilowatts hour|度電|度|千瓦時|瓩時',
  ],
  [
    'MWh',
    'energy',
    1000,
    'mwh|megawattheure|megawatt heure|megawatt hour|megavatio hora|megavatios hora|百萬瓦時|兆瓦時',
  ],
  ['GWh', 'energy', 1e6, 'gwh|gigawattheure|gigawatt hour|gigavatio hora'],
  ['Wh', 'energy', 0.001, 'wh'],
  ['GJ', 'energy', 277.777778, 'gj|gigajoule|gigajulio'],
  ['MJ', 'energy', 0.277777778, 'mj|megajoule|megajulio'],
  ['litre', 'volume', 1, 'l|lt|ltr|litre|liter|litro|公升|升'],
  [
    'm3',
    'volume',
    1000,
    'm3|m 3|metre cube|metres cubes|cubic metre|cubic meter|metro cubico|metros cubicos|立方公尺|立方米|度水',
  ],
  ['kg', 'mass', 1, 'kg|kgs|kilo|kilogramme|kilogram|kilogramo|公斤|千克'],
  ['tonne', 'mass', 1000, 't|tonne|ton|metric ton|tonelada|公噸|噸'],
  ['g', 'mass', 0.001, 'g|gramme|gram|gramo|公克'],
  ['km', 'distance', 1, 'km|kms|kilometre|kilometer|kilometro|公里'],
  ['m', 'distance', 0.001, 'm|metre|meter|metro|公尺'],
  ['mile', 'distance', 1.609344, 'mile|mille marin|milla|英里'],
  [
    'passenger_km',
    'passenger-distance',
    1,
    'pkm|passenger km|passengers km|passager km|passagers km|person km|personne km|voyageur km|voyageurs km|pasajero km|pasajeros km|passager kilometre|passagers kilometres|passenger kilometre|passenger kilometer|pasajero kilometro|pasajeros kilometros|人公里|延人公里',
  ],
  [
    'tonne_km',
    'freight',
    1,
    'tkm|t km|tonne km|tonnes km|ton km|tons km|tonelada km|toneladas km|tonne kilometre|tonnes kilometres|tonne kilometer|tonelada kilometro|toneladas kilometros|公噸公里|噸公里|延噸公里',
  ],
  ['night', 'stay', 1, 'night|room night|nuit|nuitee|noche|晚'],
  ['hour', 'time', 1, 'h|hour|heure|hora|小時'],
  ['day', 'time', 24, 'day|jour|dia|天'],
  ['week', 'time', 168, 'week|semaine|semana|週'],
  ['month', 'time', 730, 'month|mois|mes|meses|個月'],
  ['year', 'time', 8760, 'year|an|annee|ano'],
  [
    'percent',
    'share',
    1,
    '%|percent|per cent|pour cent|pourcent|por ciento|percentage|pourcentage|porcentaje',
  ],
  ['ha', 'area', 10_000, 'ha|hectare|hectarea|公頃'],
  [
    'm2',
    'area',
    1,
    'm2|m 2|metre carre|metres carres|square metre|square meter|metro cuadrado|metros cuadrados|平方公尺',
  ],
  ['kW', 'power', 1, 'kw|kilowatt|kilovatio|瓩'],
];

const currencyTerms: readonly (readonly [code: string, terms: string])[] = [
  ['XOF', 'fcfa|f cfa|cfa|franc cfa|francs cfa|francos cfa|西非法郎'],
  ['EUR', '€|euro|歐元'],
  ['USD', '$|us$|us $|dollar|dolar|dolares|usd|美元|美金'],
  ['GBP', '£|pound sterling|pounds sterling|livre sterling|livres sterling|英鎊'],
  ['MAD', 'dirham'],
  ['NGN', '₦|naira'],
  ['GHS', 'cedi'],
  ['KES', 'shilling kenyan|kenyan shilling'],
  ['TWD', 'nt$|nt $|新台幣|新臺幣|台幣'],
  ['CNY', 'yuan|rmb|人民幣'],
  ['JPY', 'yen|日圓'],
];

const units: readonly (Unit & { terms: string[] })[] = [
  ...table.map(([key, dimension, factor, terms]) => ({ key, dimension, factor, terms: terms.split('|') })),
  ...currencyTerms.map(([key, terms]) => ({
    key,
    dimension: 'money' as const,
    factor: 1,
    terms: terms.split('|'),
  })),
];
const byTerm = new Map(units.flatMap(({ terms, ...unit }) => terms.map((term) => [term, unit as Unit])));
const currencyCodes = new Set(Intl.supportedValuesOf('currency'));

/** One term as a pattern: «passager km» also fits passagers.km and passager-km. */
function termPattern(term: string): string {
  const escaped = term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '[ ._·*×-]?');
  if (isHan(term) || /[%$€£₦]$/.test(term)) return escaped;
  return `${escaped}${term.length > 2 ? 's?' : ''}(?![\\p{L}\\p{N}'])`;
}

const longestFirst = [...byTerm.keys()].toSorted((a, b) => b.length - a.length);
const unitPattern = new RegExp(longestFirst.map((term) => `(${termPattern(term)})`).join('|'), 'uy');

/** The unit that stands at a place of a folded text, with its end. */
export function unitAt(text: string, folded: string, at: number): { unit: Unit; end: number } | null {
  const code = /^[A-Z]{3}(?![\p{L}\p{N}])/u.exec(text.slice(at, at + 4))?.[0];
  if (code && currencyCodes.has(code))
    return { unit: { key: code, dimension: 'money', factor: 1 }, end: at + 3 };
  unitPattern.lastIndex = at;
  const match = unitPattern.exec(folded);
  const term = match && longestFirst[match.slice(1).findIndex((group) => group !== undefined)];
  const unit = term === null || term === undefined ? undefined : byTerm.get(term);
  return match && unit ? { unit, end: at + match[0].length } : null;
}

/** The unit that a text names and nothing else: `passenger_km`, `kWh`, `Tonnes`. */
export function unitNamed(name: string): Unit | null {
  const text = name.trim();
  const found = unitAt(text, fold(text), 0);
  return found?.end === text.length ? found.unit : null;
}

/** `value` of one unit in another; null when they do not measure the same thing. */
export function convert(value: number, from: Unit, to: Unit): number | null {
  if (from.key === to.key) return value;
  if (from.dimension !== to.dimension || from.dimension === 'money') return null;
  return Number(((value * from.factor) / to.factor).toPrecision(12));
}
