import { type Unit, units } from '../../carbon/unit.js';
import { speechOf, wordingOf } from '../../carbon/wording/speech.js';
import type { Language } from './report-frame.js';

const isUnit = (key: string): key is Unit => Object.hasOwn(units, key);

const speechIn = ({ wording }: Language) => speechOf(wordingOf(wording.language));

/** «20 tonnes»: a result may hold a unit by its key alone. A key that is not known stays as it is. */
export const sayQuantity = (quantity: number, unit: string, language: Language): string =>
  isUnit(unit) ? speechIn(language).quantity(quantity, unit) : `${language.speech.number(quantity)} ${unit}`;

/** «kgCO2e/passager-km» for `kgCO2e/passenger_km`. */
export const sayFactorUnit = (unit: string, language: Language): string => {
  const slash = unit.indexOf('/') + 1;
  const per = unit.slice(slash);
  return slash > 0 && isUnit(per) ? unit.slice(0, slash) + speechIn(language).oneUnit(per) : unit;
};
