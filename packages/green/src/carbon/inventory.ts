import type { LineCategory } from './footprint.js';

/** Every category that can be counted, with its scope, in the order of reports. */
export const scopeOf: Readonly<Record<LineCategory, 1 | 2 | 3>> = {
  fuel: 1,
  owned_vehicle: 1,
  refrigerant: 1,
  direct_gas: 1,
  electricity: 2,
  fuel_upstream: 3,
  business_travel: 3,
  freight: 3,
  waste: 3,
  water: 3,
  material: 3,
  food: 3,
};

/** What the GHG Protocol counts and this data has no factors for. */
export const gaps = {
  processes: 1,
  services: 3,
  capital_goods: 3,
  commuting: 3,
  sold_products: 3,
  investments: 3,
} as const;
export type Gap = keyof typeof gaps;
