import type { Quantity } from './quantity.js';
import type { Unit } from './units.js';

/**
 * «3 vols de 4 500 km», «10 bouteilles de gaz de cuisine de 12,5 kg», «2 × 500 L»: what stands between a count and a
 * quantity.
 */
const afterCount =
  /^(?:\s?[x×*]\s?|\s[\p{L}-]+[sx](?:\s[\p{L}'-]+){0,6}\s(?:de|of|a|at)\s|[^，。、\d]{0,8}[各每][輛台人桶個袋瓶次]?)$/u;
/** «3 camions pour un total de 2 000 L», «3 sites qui ont en commun un stock de 2 000 L»: the quantity is of all. */
const ofAll =
  /\s(?:total\w*|ensemble|tout|together|altogether|conjunto|(?:qui|que|dont|ont|avons|sont|that|which|have|has|tienen)\s.*\s(?:de|of))\s/u;
/** «12 mois à 1 000 kWh» */
const afterTime = /^\s(?:de|of|a|at)\s$/;
const conjunction = /\s(?:et|and|y|ou|or|o)\s/;

/** «Deux camionnettes diesel, 12 000 km chacune»: what follows the quantity that each of the counted has. */
const each =
  /^(?:\s(?!(?:et|and|y|ou|or|o)\s)[\p{L}'-]+){0,4}?\s(?:chacun\w*|chaque|each|apiece|cada un[oa]|par (?:vehicule|voiture|camionnette|camion|personne|moto)|per (?:vehicle|car|van|truck|person)|por (?:vehiculo|coche|persona))(?![\p{L}])/u;
/** What is counted, up to a quantity of each: no sentence and no other clause between. */
const counted = /^\s\p{L}+[sx](?![\p{L}])[^.;!?。\d]{0,50}$/u;

/** The quantities of a text, those that belong together as one: «3 × 500 L», «3 tonnes over 500 km». */
export function combined(folded: string, found: readonly Quantity[]): Quantity[] {
  const result: Quantity[] = [];
  for (const quantity of found) {
    const last = result.at(-1);
    const unit = last && unitTogether(folded, last, quantity);
    if (!last || !unit) {
      result.push(quantity);
      continue;
    }
    const value = Number((last.value * quantity.value).toPrecision(15));
    // What is counted stands between the two numbers and names the kind as well.
    const range = last.range ?? quantity.range;
    result[result.length - 1] = {
      ...quantity,
      value,
      unit,
      start: last.start,
      numberEnd: last.numberEnd,
      ...(range ? { range } : {}),
    };
  }
  return result;
}

/** The unit of two quantities multiplied, where the text means them to be. */
function unitTogether(folded: string, first: Quantity, second: Quantity): Unit | null {
  if (isCountOf(folded, first, second)) return second.unit;
  const carried = first.unit?.key === 'tonne' && second.unit?.key === 'km';
  return carried && overDistance.test(folded.slice(first.end, second.start)) ? tonneKilometre : null;
}

/** «3 tonnes de riz sur 500 km», «3 tons over 500 km» */
const overDistance = /^(?:\s[\p{L}'-]+){0,4}\s(?:sur|over|for|por|a lo largo de)\s$/u;
const tonneKilometre: Unit = { key: 'tonne_km', dimension: 'freight', factor: 1 };

function isCountOf(folded: string, count: Quantity, quantity: Quantity): boolean {
  if (!Number.isInteger(count.value) || !quantity.unit || !isCountable(quantity.unit)) return false;
  const gap = folded.slice(count.end, quantity.start);
  if (count.unit) return count.unit.dimension === 'time' && afterTime.test(gap);
  const isYear = count.value >= 1900 && count.value <= 2100;
  if (isYear || gap.length >= 60) return false;
  const isOfEach = each.test(folded.slice(quantity.end, quantity.end + 60)) && counted.test(gap);
  return isOfEach || (afterCount.test(gap) && !conjunction.test(gap) && !ofAll.test(gap));
}

const isCountable = ({ dimension }: Unit): boolean => !['money', 'share', 'time'].includes(dimension);
