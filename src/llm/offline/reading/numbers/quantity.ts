import type { Span } from '../spans.js';
import type { Unit } from './units.js';

/** An amount of a text. It ends past the unit, when there is one. */
export interface Quantity extends Span {
  value: number;
  unit: Unit | null;
  /** Past the digits and multiplier, before a unit that follows. */
  numberEnd: number;
  /** One end of «12 000 à 15 000 kWh», where no exact amount is said. */
  range?: true;
}
