import { unitsOf, type EmissionData, type EmissionFactor, type GridFactor } from './emission-data.js';
import type { Activity } from './reference-data.js';
import type { Caveat, Refusal } from './remark.js';
import { isConvertible, isOnePassenger, isUnit, type Unit } from './unit.js';

/** A factor with a value and a source: it may be counted with. */
export type UsableFactor = EmissionFactor & {
  value: number;
  source: NonNullable<EmissionFactor['source']>;
};

export type Choice = { unit: Unit; factor: UsableFactor; caveats: Caveat[] } | { refusal: Refusal };

function isUsable(factor: EmissionFactor): factor is UsableFactor {
  return factor.value !== null && factor.source !== null;
}

function chooseGrid(unit: Unit, country: string | undefined, data: EmissionData): Choice {
  if (!country) return { refusal: { code: 'country_needed' } };
  const grid = data.grids.get(country);
  if (grid?.isZero) return { refusal: { code: 'zero_grid_factor', country } };
  if (!grid || !isUsable(grid)) return { refusal: { code: 'no_grid_factor', country } };
  return { unit, factor: grid, caveats: gridCaveats(grid, country) };
}

function gridCaveats(grid: GridFactor & UsableFactor, country: string): Caveat[] {
  const caveats: Caveat[] = [{ code: 'grid_average' }];
  if (grid.crossCheck) {
    const { value: otherValue, year: otherYear } = grid.crossCheck;
    caveats.push({ code: 'grid_differs', country, value: grid.value, otherValue, otherYear });
  }
  if (grid.isOld && grid.year !== null) caveats.push({ code: 'grid_old', country, year: grid.year });
  return caveats;
}

/** Whether the factor of one country stands in for another's. The country of use may be unknown. */
export function isProxy(geography: string, usedIn: string | undefined): boolean {
  return geography !== 'GLOBAL' && geography !== usedIn;
}

/** Caveats that a factor itself gives rise to. */
export function factorCaveats(factor: UsableFactor, unit: Unit, usedIn?: string): Caveat[] {
  const caveats: Caveat[] = [];
  const { geography } = factor;
  if (isProxy(geography, usedIn))
    caveats.push({ code: 'proxy_geography', country: geography, ...(usedIn ? { usedIn } : {}) });
  if (factor.isSecondary) caveats.push({ code: 'secondary_source' });
  if (factor.gas === 'CO2') caveats.push({ code: 'co2_only' });
  if (factor.leavesOutBiogenic) caveats.push({ code: 'biogenic_apart' });
  if (factor.isNetCalorific) caveats.push({ code: 'net_calorific' });
  if (isOnePassenger(unit, factor.per)) caveats.push({ code: 'one_passenger' });
  return caveats;
}

function usable(
  factor: EmissionFactor | undefined,
  activity: Activity,
  unit: Unit,
  country: string | undefined,
): Choice {
  if (!factor || !isUsable(factor)) return { refusal: { code: 'no_factor' } };
  const own = activity.caveats.map((code): Caveat => ({ code }));
  return { unit, factor, caveats: [...own, ...factorCaveats(factor, unit, country)] };
}

function chooseGas(id: string, activity: Activity, unit: Unit, data: EmissionData): Choice {
  const choice = usable(data.gases.get(id), activity, unit, undefined);
  if ('factor' in choice) choice.caveats.push({ code: 'warming_potential', set: data.gwpSet.toUpperCase() });
  return choice;
}

function chooseByCountry(
  activity: Extract<Activity, { kind: 'by-country' }>,
  unit: Unit,
  country: string | undefined,
  data: EmissionData,
): Choice {
  if (!country) return { refusal: { code: 'country_needed' } };
  const id = activity.factorsByCountry[country];
  const countries = Object.keys(activity.factorsByCountry);
  if (!id) return { refusal: { code: 'no_country_factor', country, countries } };
  const factor = data.factors.get(id);
  // The file's geography is the publisher's. The factor describes the country that it was chosen by.
  return usable(factor && { ...factor, geography: country }, activity, unit, country);
}

/** Finds the factor for an activity in `unit`, or the reason why there is none. */
export function chooseFactor(
  activity: Activity,
  unit: string,
  country: string | undefined,
  data: EmissionData,
): Choice {
  const allowed = unitsOf(activity, data);
  if (!isUnit(unit) || !allowed.includes(unit)) return { refusal: { code: 'wrong_unit', units: allowed } };
  switch (activity.kind) {
    case 'grid':
      return chooseGrid(unit, country, data);
    case 'by-country':
      return chooseByCountry(activity, unit, country, data);
    case 'gas':
      return chooseGas(activity.gas, activity, unit, data);
    case 'factors':
      return usable(fitting(activity.factors, unit, data), activity, unit, country);
  }
}

/** The upstream factor of a fuel measured in `unit`; undefined when there is none for it. */
export function chooseUpstream(activity: Activity, unit: Unit, data: EmissionData): UsableFactor | undefined {
  const factor = fitting(activity.upstream, unit, data);
  return factor && isUsable(factor) ? factor : undefined;
}

function fitting(ids: readonly string[], unit: Unit, data: EmissionData): EmissionFactor | undefined {
  return ids.map((id) => data.factors.get(id)).find((factor) => factor && isConvertible(unit, factor.per));
}
