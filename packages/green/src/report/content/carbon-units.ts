import { carbonWordingOf, sayQuantity as say, unitName } from '../../carbon/carbon-wording.js';
import { type Unit, units } from '../../carbon/unit.js';
import type { Language } from './report-frame.js';

function isUnit(key: string): key is Unit {
  return Object.hasOwn(units, key);
}

/** «20 tonnes»: a result may hold a unit by its key alone. A key that is not known stays as it is. */
export function sayQuantity(quantity: number, unit: string, { speech }: Language): string {
  return isUnit(unit)
    ? say(quantity, unit, carbonWordingOf(speech.language))
    : `${speech.number(quantity)} ${unit}`;
}

/** «kgCO2e/passager-km» for `kgCO2e/passenger_km`. */
export function sayFactorUnit(unit: string, { speech }: Language): string {
  const slash = unit.indexOf('/') + 1;
  const per = unit.slice(slash);
  return slash > 0 && isUnit(per)
    ? unit.slice(0, slash) + unitName(carbonWordingOf(speech.language), per, 1)
    : unit;
}
