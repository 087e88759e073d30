import en from '../../wording/carbon.en.json' with { type: 'json' };
import es from '../../wording/carbon.es.json' with { type: 'json' };
import fr from '../../wording/carbon.fr.json' with { type: 'json' };
import zhHant from '../../wording/carbon.zh-hant.json' with { type: 'json' };
import { fill, type Forms, type Values, type Wording, wordingsOf } from '../wording.js';
import type { LineCategory } from './footprint.js';
import type { Gap } from './inventory.js';
import type { Caveat, CaveatCode, Refusal, RefusalCode } from './remark.js';
import { isUnit, type Unit } from './unit.js';

type Names<Code extends string | number> = Readonly<Record<Code, string>>;

interface CarbonTexts extends Omit<typeof en, 'units'> {
  units: Readonly<Record<Unit, Forms>>;
  categories: typeof en.categories & Names<LineCategory>;
  gaps: typeof en.gaps & Names<Gap>;
  caveats: typeof en.caveats & Names<CaveatCode>;
  refusals: typeof en.refusals & Names<RefusalCode>;
}

export type CarbonWording = Wording<CarbonTexts>;

/** The wording of a BCP 47 language; English for one that is not there or not a language. */
export const carbonWordingOf = wordingsOf<CarbonTexts>({ en, fr, es, 'zh-Hant': zhHant });

/** A number that takes the plural in every language. */
const SEVERAL = 10;

export function unitName({ texts, speech }: CarbonWording, unit: Unit, count = SEVERAL): string {
  return speech.form(texts.units[unit], count);
}

/** «20 tonnes». A unit that is not known stays as it is. */
export function sayQuantity(quantity: number, unit: string, wording: CarbonWording): string {
  const name = isUnit(unit) ? unitName(wording, unit, quantity) : unit;
  return `${wording.speech.number(quantity)} ${name}`;
}

/** «kgCO2e/passager-km» for `kgCO2e/passenger_km`. */
export function sayFactorUnit(unit: string, wording: CarbonWording): string {
  const slash = unit.indexOf('/') + 1;
  const per = unit.slice(slash);
  return slash > 0 && isUnit(per) ? unit.slice(0, slash) + unitName(wording, per, 1) : unit;
}

export function sayCaveat(caveat: Caveat, wording: CarbonWording): string {
  return fill(wording.texts.caveats[caveat.code], shown(caveat, wording));
}

/** Why an item was refused. */
export function sayRefusal(refusal: Refusal, wording: CarbonWording): string {
  return fill(wording.texts.refusals[refusal.code], shown(refusal, wording));
}

function shown(remark: Caveat | Refusal, wording: CarbonWording): Values {
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
