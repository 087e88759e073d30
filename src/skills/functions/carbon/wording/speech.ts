import { inLanguage } from '../../../../common/text/in-language.js';
import type { Caveat, CaveatCode, Refusal, RefusalCode } from '../remark.js';
import { english } from './english.js';
import { spanish } from './spanish.js';
import { french } from './french.js';
import { traditionalChinese } from './traditional-chinese.js';
import type { Unit } from '../unit.js';
import type { Speech, Wording } from './wording.js';

/** The wording of a BCP 47 language; English for one that is not there or not a language. */
export const wordingOf = inLanguage<Wording>({
  en: english,
  fr: french,
  es: spanish,
  zh: traditionalChinese,
});

/** A number that takes the plural in every language. */
const several = 10;

/** How `wording`'s language writes numbers, countries and lists. */
export function speechOf({ language, units }: Wording): Speech {
  const regions = new Intl.DisplayNames(language, { type: 'region' });
  const figures = new Intl.NumberFormat(language, { maximumSignificantDigits: 4 });
  const exact = new Intl.NumberFormat(language, { maximumFractionDigits: 6 });
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const full = new Intl.NumberFormat(language, { maximumSignificantDigits: 15 });
  const percent = new Intl.NumberFormat(language, { style: 'percent' });
  const plurals = new Intl.PluralRules(language);
  const unitName = (unit: Unit, count: number): string => {
    const name = units[unit];
    if (typeof name === 'string') return name;
    return plurals.select(count) === 'one' ? name[0] : name[1];
  };
  const list = new Intl.ListFormat(language, { type: 'conjunction' });
  return {
    number: (value) => figures.format(value),
    factor: (value) => full.format(value),
    kilograms: (kg) => (kg >= 1000 ? whole : figures).format(kg),
    quantity: (value, unit) => `${exact.format(value)} ${unitName(unit, value)}`,
    percent: (share) => percent.format(share),
    country: (code) => regions.of(code) ?? code,
    list: (items) => list.format(items),
    unit: (unit) => unitName(unit, several),
    oneUnit: (unit) => unitName(unit, 1),
  };
}

/** What a remark says. */
export const sayCaveat = <Code extends CaveatCode>(
  caveat: Caveat<Code>,
  wording: Wording,
  speech: Speech,
): string => wording.caveats[caveat.code](caveat, speech);

/** Why an item was refused. */
export const sayRefusal = <Code extends RefusalCode>(
  refusal: Refusal<Code>,
  wording: Wording,
  speech: Speech,
): string => wording.refusals[refusal.code](refusal, speech);
