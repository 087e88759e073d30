import { fill, type Values, type Wording } from '../wording.js';
import type { Caveat, Refusal } from './remark.js';
import { isUnit, type Unit } from './unit.js';

/** A number that takes the plural in every language. */
const SEVERAL = 10;

export function unitName({ carbon, speech }: Wording, unit: Unit, count = SEVERAL): string {
  return speech.form(carbon.units[unit], count);
}

/** «20 tonnes». An unknown unit stays as it is. */
export function sayQuantity(quantity: number, unit: string, wording: Wording): string {
  const name = isUnit(unit) ? unitName(wording, unit, quantity) : unit;
  return `${wording.speech.number(quantity)} ${name}`;
}

/** «kgCO2e/passager-km» for `kgCO2e/passenger_km`. */
export function sayFactorUnit(unit: string, wording: Wording): string {
  const slash = unit.indexOf('/') + 1;
  const per = unit.slice(slash);
  return slash > 0 && isUnit(per) ? unit.slice(0, slash) + unitName(wording, per, 1) : unit;
}

export function sayCaveat(caveat: Caveat, wording: Wording): string {
  return fill(wording.carbon.caveats[caveat.code], shown(caveat, wording));
}

export function sayRefusal(refusal: Refusal, wording: Wording): string {
  return fill(wording.carbon.refusals[refusal.code], shown(refusal, wording));
}

function shown(remark: Caveat | Refusal, wording: Wording): Values {
  const { speech } = wording;
  const country = (code: string): string => speech.country(code);
  return {
    ...('set' in remark && { set: remark.set }),
    ...('year' in remark && { year: remark.year }),
    ...('country' in remark && { country: country(remark.country) }),
    ...('usedIn' in remark && { usedIn: country(remark.usedIn ?? '') }),
    ...('countries' in remark && { countries: speech.list(remark.countries.map(country)) }),
    ...('units' in remark && { units: speech.list(remark.units.map((unit) => unitName(wording, unit))) }),
    ...('otherValue' in remark && {
      value: speech.significant(remark.value),
      otherValue: speech.significant(remark.otherValue),
      otherYear: remark.otherYear,
    }),
  };
}
