import { z } from 'zod';

import activities from '../../data/carbon/activities.json' with { type: 'json' };
import factors from '../../data/carbon/emission-factors.json' with { type: 'json' };
import {
  ActivityFile,
  FactorFile,
  type Activity,
  type FactorFile as FactorFileContent,
  type Source,
} from './reference-data.js';
import { isConvertible, parseFactorUnit, type Unit, unitNames } from './unit.js';

/** One published factor: kilograms of `gas` per unit of `per`; `value` is null where no open source gave one. */
export interface EmissionFactor {
  id: string;
  scope: 1 | 2 | 3;
  value: number | null;
  gas: 'CO2e' | 'CO2';
  per: Unit;
  /** The year that the value describes. */
  year: number | null;
  /** ISO 3166-1 alpha-2 of the country it describes, or GLOBAL. */
  geography: string;
  source: Source | null;
  isSecondary: boolean;
  /** The value leaves out the CO2 of the biomass itself. */
  leavesOutBiogenic: boolean;
  /** Kilograms of biogenic CO2 per unit of `per`, to be declared outside the scopes. */
  biogenicValue: number | null;
  /** The fuel's energy is counted on its net calorific value. */
  isNetCalorific: boolean;
}

/** A country's grid average, with what the second edition of the same figures says. */
export interface GridFactor extends EmissionFactor {
  isZero: boolean;
  isOld: boolean;
  crossCheck: { value: number; year: number } | null;
}

/** The reference data, checked and indexed. */
export interface EmissionData {
  version: string;
  /** The IPCC report whose warming potentials are used. */
  gwpSet: 'ar4' | 'ar5' | 'ar6';
  sourceNames: ReadonlyMap<string, string>;
  activities: ReadonlyMap<string, Activity>;
  factors: ReadonlyMap<string, EmissionFactor>;
  /** By ISO 3166-1 alpha-2. */
  grids: ReadonlyMap<string, GridFactor>;
  gases: ReadonlyMap<string, EmissionFactor>;
}

type Sources = ReadonlyMap<string, Source>;

function unique<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  noun: string,
): Map<string, Item> {
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  if (byKey.size !== items.length) throw new Error(`A ${noun} is there twice in the emission data.`);
  return byKey;
}

function sourceOf(sources: Sources, id: string | null): Source | null {
  if (id === null) return null;
  const source = sources.get(id);
  if (!source) throw new Error(`The emission data names a source that is not in it: ${id}.`);
  return source;
}

function toFactor(raw: FactorFileContent['factors'][number], sources: Sources): EmissionFactor | null {
  const unit = parseFactorUnit(raw.unit);
  if ((raw.confidence === 'missing') !== (raw.sourceId === null))
    throw new Error(`The factor ${raw.id} has a value without a source, or the reverse.`);
  if (!unit) return null;
  return {
    id: raw.id,
    scope: raw.scope,
    value: raw.value,
    ...unit,
    year: raw.year ?? null,
    geography: raw.geography,
    source: sourceOf(sources, raw.sourceId),
    isSecondary: raw.confidence === 'verified in secondary source',
    leavesOutBiogenic: raw.subcategory === 'biomass',
    biogenicValue: raw.biogenicCO2?.value ?? null,
    isNetCalorific: raw.unit.endsWith('PCI'),
  };
}

/** Fields that grid averages and warming potentials share. */
const plain = {
  gas: 'CO2e',
  isSecondary: false,
  leavesOutBiogenic: false,
  biogenicValue: null,
  isNetCalorific: false,
} as const;

function toGrid(raw: FactorFileContent['gridElectricity'][number], sources: Sources): GridFactor {
  return {
    ...plain,
    id: `grid.${raw.iso2}`,
    scope: raw.scope,
    value: raw.value,
    per: 'kWh',
    year: raw.year,
    geography: raw.iso2,
    source: sourceOf(sources, raw.sourceId),
    // A zero is a gap in the statistics of a very small grid. No electricity is free of emissions.
    isZero: raw.value === 0 || raw.flags.includes('zero-value'),
    isOld: raw.flags.includes('year-2022'),
    crossCheck: raw.flags.includes('crosscheck-differs-over-20pct') ? (raw.crossCheck ?? null) : null,
  };
}

function toGas(
  file: FactorFileContent,
  raw: FactorFileContent['gwp'][number],
  sources: Sources,
): EmissionFactor {
  const source = sourceOf(sources, raw.sourceId);
  return {
    ...plain,
    id: `gwp.${raw.id}.${file.defaultGwpSet}`,
    scope: raw.scope,
    value: raw[file.defaultGwpSet],
    per: 'kg',
    // A potential belongs to the report that gives it, not to a year.
    year: null,
    geography: 'GLOBAL',
    source,
  };
}

/** Every factor that an activity may be counted with. Upstream ones come last. */
export function factorsOf(activity: Activity, data: Pick<EmissionData, 'factors' | 'grids' | 'gases'>) {
  const find = (id: string): EmissionFactor => {
    const factor = data.factors.get(id) ?? data.gases.get(id);
    if (!factor) throw new Error(`The activity ${activity.key} names a factor that cannot be used: ${id}.`);
    return factor;
  };
  const upstream = activity.upstream.map(find);
  switch (activity.kind) {
    case 'grid':
      return { own: [...data.grids.values()], upstream };
    case 'gas':
      return { own: [find(activity.gas)], upstream };
    case 'by-country':
      return { own: Object.values(activity.factorsByCountry).map(find), upstream };
    case 'factors':
      return { own: activity.factors.map(find), upstream };
  }
}

export function unitsOf(activity: Activity, data: Pick<EmissionData, 'factors' | 'grids' | 'gases'>): Unit[] {
  const { own } = factorsOf(activity, data);
  return unitNames.filter(
    (unit) => !activity.exceptUnits.includes(unit) && own.some((factor) => isConvertible(unit, factor.per)),
  );
}

/** With two factors for one unit, their order would decide. */
function checkActivity(activity: Activity, data: EmissionData): void {
  const { own, upstream } = factorsOf(activity, data);
  const lists = activity.kind === 'factors' ? [own, upstream] : [upstream];
  for (const unit of unitNames) {
    if (lists.some((list) => list.filter((factor) => isConvertible(unit, factor.per)).length > 1))
      throw new Error(`The activity ${activity.key} has two factors for ${unit}.`);
  }
  if (unitsOf(activity, data).length === 0) throw new Error(`The activity ${activity.key} fits no unit.`);
}

/** Checks and indexes the two files. Throws an Error that names the mismatch. */
export function readEmissionData(factorJson: unknown, activityJson: unknown): EmissionData {
  const parsed = z.object({ factors: FactorFile, activities: ActivityFile }).safeParse({
    factors: factorJson,
    activities: activityJson,
  });
  if (!parsed.success) throw new Error(`The emission data is not usable:\n${z.prettifyError(parsed.error)}`);
  const { factors: file, activities } = parsed.data;
  const sources = unique(file.sources, (source) => source.id, 'source');
  const factors = [...unique(file.factors, (factor) => factor.id, 'factor').values()];
  const usable = factors.map((raw) => toFactor(raw, sources)).filter((factor) => factor !== null);
  const grids = [...unique(file.gridElectricity, (grid) => grid.iso2, 'country').values()];
  const gases = [...unique(file.gwp, (gas) => gas.id, 'gas').values()];
  const data: EmissionData = {
    version: `${file.schemaVersion}+${file.compiledAt}`,
    gwpSet: file.defaultGwpSet,
    sourceNames: new Map(Object.entries(activities.sourceNames)),
    activities: unique(activities.activities, (activity) => activity.key, 'activity'),
    factors: new Map(usable.map((factor) => [factor.id, factor])),
    grids: new Map(grids.map((grid) => [grid.iso2, toGrid(grid, sources)])),
    gases: new Map(gases.map((gas) => [gas.id, toGas(file, gas, sources)])),
  };
  for (const activity of data.activities.values()) checkActivity(activity, data);
  return data;
}

export function loadEmissionData(): EmissionData {
  return readEmissionData(factors, activities);
}
