import type { Unit } from './unit.js';

/** A remark on a figure, with the values that its text needs. */
export type Caveat =
  /** `usedIn`: the country that the factor stands in for, if known. */
  | { code: 'proxy_geography'; country: string; usedIn?: string }
  | { code: 'grid_differs'; country: string; value: number; otherValue: number; otherYear: number }
  | { code: 'grid_old'; country: string; year: number }
  | { code: 'warming_potential'; set: string }
  | { code: 'profile_country'; country: string }
  | { code: 'grid_average' | 'secondary_source' | 'co2_only' | 'biogenic_apart' | 'net_calorific' }
  | { code: 'one_passenger' | 'upstream_left_out' | 'upstream_unknown' | 'counted_twice' }
  | { code: 'fuel_is_better' | 'radiative_forcing' | 'open_dump' | 'montreal_gas' | 'world_average' };
export type CaveatCode = Caveat['code'];

export type Refusal =
  | { code: 'wrong_unit'; units: Unit[] }
  | { code: 'no_grid_factor' | 'zero_grid_factor'; country: string }
  | { code: 'no_country_factor'; country: string; countries: string[] }
  | { code: 'unknown_activity' | 'bad_quantity' | 'country_needed' | 'no_factor' };
