import { inLanguage } from '../../../../common/text/in-language.js';
import type { Bounds, Reason, ReasonCode } from '../reason.js';
import { english } from './english.js';
import { french } from './french.js';
import { spanish } from './spanish.js';
import { traditionalChinese } from './traditional-chinese.js';
import type { Speech, Wording } from './wording.js';

/** The wording of a BCP 47 language; English for one that is not there or not a language. */
export const wordingOf = inLanguage<Wording>({
  en: english,
  fr: french,
  es: spanish,
  zh: traditionalChinese,
});

/** `upTo 250 000 USD (grant)`: what the data has, and that it has nothing. */
function sayAmount(wording: Wording, money: Speech['money'], bounds: Omit<Bounds, 'converted'>): string {
  const { ticketMin: min, ticketMax: max, ticketBasis, currency } = bounds;
  const { amount } = wording;
  if (ticketBasis === null || (min === null && max === null)) return amount.none;
  const basis = wording.bases[ticketBasis];
  if (min === null) return amount.upTo(money(max ?? 0, currency), basis);
  if (max === null) return amount.from(money(min, currency), basis);
  return ticketBasis === 'loan_minimum_and_guarantee_ceiling'
    ? amount.loanFromGuaranteeUpTo(money(min, currency), money(max, currency))
    : amount.between(money(min, currency), money(max, currency), basis);
}

/** Whole units with the code of the currency. A format is costly to make, and an answer has many amounts. */
function moneyIn(language: string): Speech['money'] {
  const formats = new Map<string, Intl.NumberFormat>();
  const whole = { style: 'currency', currencyDisplay: 'code', maximumFractionDigits: 0 } as const;
  return (value, currency) => {
    const format = formats.get(currency) ?? new Intl.NumberFormat(language, { ...whole, currency });
    formats.set(currency, format);
    return format.format(value);
  };
}

/** How `wording`'s language writes; lists say `most` items and how many more there are. */
export function speechOf(wording: Wording, most = Number.POSITIVE_INFINITY): Speech {
  const { language } = wording;
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const conjunction = new Intl.ListFormat(language, { type: 'conjunction' });
  const list = (items: readonly string[]): string =>
    conjunction.format(
      items.length <= most + 1 ? items : [...items.slice(0, most), wording.more(items.length - most)],
    );
  const money = moneyIn(language);
  const country = (code: string): string => names.of(code) ?? code;
  const amount: Speech['amount'] = (bounds) => sayAmount(wording, money, bounds);
  return {
    money,
    country,
    list,
    places: (regions, countries = []) =>
      list([...regions.map((code) => wording.regions[code]), ...countries.map(country)]),
    purposes: (codes) => list(codes.map((code) => wording.purposes[code])),
    sectors: (codes) => list(codes.map((code) => wording.sectors[code])),
    instruments: (codes) => list(codes.map((code) => wording.instruments[code])),
    applicants: (codes) => list(codes.map((code) => wording.applicants[code])),
    amount,
    compared: (bounds) =>
      bounds.converted === null
        ? amount(bounds)
        : `${amount(bounds)}${wording.atParity(money(bounds.converted, bounds.currency))}`,
  };
}

/** Why a programme fits, does not, or why that is not known. */
export const sayReason = <Code extends ReasonCode>(
  reason: Reason<Code>,
  wording: Wording,
  say: Speech,
): string => wording.reasons[reason.code](reason, say);
