import type { Unit } from './unit.js';

/** What must be said beside a figure, with what saying it takes. */
interface CaveatDetails {
  /** `usedIn`: the country that the factor stands in for, where it is known. */
  proxy_geography: { country: string; usedIn?: string };
  grid_average: object;
  grid_differs: { country: string; value: number; otherValue: number; otherYear: number };
  grid_old: { country: string; year: number };
  secondary_source: object;
  co2_only: object;
  biogenic_apart: object;
  net_calorific: object;
  warming_potential: { set: string };
  one_passenger: object;
  upstream_left_out: object;
  upstream_unknown: object;
  fuel_is_better: object;
  radiative_forcing: object;
  open_dump: object;
  montreal_gas: object;
  world_average: object;
  counted_twice: object;
  profile_country: { country: string };
}

/** Why an item was not counted. */
interface RefusalDetails {
  unknown_activity: object;
  bad_quantity: object;
  wrong_unit: { units: Unit[] };
  country_needed: object;
  no_grid_factor: { country: string };
  zero_grid_factor: { country: string };
  no_country_factor: { country: string; countries: string[] };
  no_factor: object;
}

export type CaveatCode = keyof CaveatDetails;
export type RefusalCode = keyof RefusalDetails;
export type Caveat<Code extends CaveatCode = CaveatCode> = {
  [Each in Code]: { code: Each } & CaveatDetails[Each];
}[Code];
export type Refusal<Code extends RefusalCode = RefusalCode> = {
  [Each in Code]: { code: Each } & RefusalDetails[Each];
}[Code];
