import type { EmissionData } from './emission-data.js';
import { chooseFactor, chooseUpstream, factorCaveats, type UsableFactor } from './factor-choice.js';
import type { Activity, ActivityCategory, Source } from './reference-data.js';
import type { Caveat, Refusal } from './remark.js';
import { convert, type Unit } from './unit.js';

/** The largest plausible quantity, in any unit. */
export const maximumQuantity = 1e12;

export interface FootprintItem {
  /** A key of `EmissionData.activities`. */
  activity: string;
  quantity: number;
  unit: string;
  /** ISO 3166-1 alpha-2; the footprint's own country when absent. */
  country?: string | undefined;
}

export interface FootprintInput {
  country?: string | undefined;
  /** The company's country, for items without one. Null: unknown. */
  profileCountry?: string | null | undefined;
  /** Adds, in scope 3, the production and delivery of the fuels for which there is a factor. */
  upstream?: boolean | undefined;
  items: readonly FootprintItem[];
}

export type LineCategory = ActivityCategory | 'fuel_upstream';

/** One item counted with one factor: kilograms are not rounded. */
export interface FootprintLine {
  /** Where the item stands in the input, from 0. */
  item: number;
  activity: string;
  category: LineCategory;
  quantity: number;
  unit: Unit;
  scope: 1 | 2 | 3;
  /** The part that counts in the total and in its scope. */
  kgCO2e: number;
  /** CO2 of burnt biomass, to be declared outside the scopes; null where it is unknown or does not apply. */
  biogenicKgCO2: number | null;
  /** A gas of the Montreal Protocol, declared apart from Kyoto gases, outside the scopes. Null: not such a gas. */
  outsideKyotoKgCO2e: number | null;
  factor: { id: string; value: number; gas: 'CO2e' | 'CO2'; per: Unit };
  source: Source;
  year: number | null;
  geography: string;
  /** ISO 3166-1 alpha-2 of the country of use. Null: not stated. */
  usedIn: string | null;
  caveats: Caveat[];
}

export interface RefusedItem extends FootprintItem {
  item: number;
  refusal: Refusal;
}

export interface Footprint {
  kgCO2e: number;
  scopes: Record<1 | 2 | 3, number>;
  categories: Partial<Record<LineCategory, number>>;
  biogenicKgCO2: number;
  outsideKyotoKgCO2e: number;
  lines: FootprintLine[];
  refused: RefusedItem[];
  /** Remarks on the footprint as a whole. */
  caveats: Caveat[];
  dataVersion: string;
}

type Counted = { lines: FootprintLine[] } | { refusal: Refusal };

/** An item whose unit fits its factor, with a country. */
type Measured = FootprintItem & { unit: Unit };

function isBelievable(quantity: number): boolean {
  return Number.isFinite(quantity) && quantity > 0 && quantity <= maximumQuantity;
}

function toLine(
  item: Measured,
  index: number,
  category: LineCategory,
  factor: UsableFactor,
  caveats: Caveat[],
): FootprintLine {
  const counted = convert(item.quantity, item.unit, factor.per);
  const isOutsideKyoto = caveats.some(({ code }) => code === 'montreal_gas');
  return {
    item: index,
    activity: item.activity,
    category,
    quantity: item.quantity,
    unit: item.unit,
    scope: factor.scope,
    kgCO2e: isOutsideKyoto ? 0 : counted * factor.value,
    biogenicKgCO2: factor.biogenicValue === null ? null : counted * factor.biogenicValue,
    outsideKyotoKgCO2e: isOutsideKyoto ? counted * factor.value : null,
    factor: { id: factor.id, value: factor.value, gas: factor.gas, per: factor.per },
    source: factor.source,
    year: factor.year,
    geography: factor.geography,
    usedIn: item.country ?? null,
    caveats,
  };
}

function countUpstream(
  item: Measured,
  index: number,
  activity: Activity,
  data: EmissionData,
): { lines: FootprintLine[]; caveats: Caveat[] } {
  const factor = chooseUpstream(activity, item.unit, data);
  if (!factor) return { lines: [], caveats: [{ code: 'upstream_unknown' }] };
  const caveats = factorCaveats(factor, item.unit, item.country);
  return { lines: [toLine(item, index, 'fuel_upstream', factor, caveats)], caveats: [] };
}

function count(item: FootprintItem, index: number, input: FootprintInput, data: EmissionData): Counted {
  const activity = data.activities.get(item.activity);
  if (!activity) return { refusal: { code: 'unknown_activity' } };
  if (!isBelievable(item.quantity)) return { refusal: { code: 'bad_quantity' } };
  const country = item.country ?? input.country ?? input.profileCountry ?? undefined;
  const choice = chooseFactor(activity, item.unit, country, data);
  if ('refusal' in choice) return choice;
  const measured = { ...item, unit: choice.unit, country };
  const isFuel = activity.category === 'fuel';
  const upstream = isFuel && input.upstream ? countUpstream(measured, index, activity, data) : null;
  const leftOut: Caveat[] = isFuel && !input.upstream ? [{ code: 'upstream_left_out' }] : [];
  const caveats = [...choice.caveats, ...leftOut, ...(upstream?.caveats ?? [])];
  return {
    lines: [toLine(measured, index, activity.category, choice.factor, caveats), ...(upstream?.lines ?? [])],
  };
}

/** Whether it counts in the total. Otherwise it is declared apart. */
export function isInTotal({ outsideKyotoKgCO2e }: Pick<FootprintLine, 'outsideKyotoKgCO2e'>): boolean {
  return outsideKyotoKgCO2e === null;
}

function sumOf(lines: readonly FootprintLine[]): number {
  return lines.reduce((sum, line) => sum + line.kgCO2e, 0);
}

function byCategory(lines: readonly FootprintLine[]): Footprint['categories'] {
  const groups = Map.groupBy(lines.filter(isInTotal), (line) => line.category);
  return Object.fromEntries([...groups].map(([category, group]) => [category, sumOf(group)]));
}

const roadFuels = new Set(['diesel', 'petrol', 'lpg']);

/** A vehicle's fuel and its kilometres measure the same thing. */
function doubleCaveats(lines: readonly FootprintLine[]): Caveat[] {
  const hasFuel = lines.some((line) => roadFuels.has(line.activity));
  const hasDistance = lines.some((line) => line.category === 'owned_vehicle');
  return hasFuel && hasDistance ? [{ code: 'counted_twice' }] : [];
}

/** The profile's country chose a factor, although nobody stated the country. */
function profileCaveats(lines: readonly FootprintLine[], input: FootprintInput): Caveat[] {
  const { items, country, profileCountry } = input;
  if (country || !profileCountry) return [];
  const isChosen = lines.some(({ item, geography }) => geography === profileCountry && !items[item]?.country);
  return isChosen ? [{ code: 'profile_country', country: profileCountry }] : [];
}

/** Counts every item that has a factor, and gives the reason for each other one. Pure; never throws on an item. */
export function computeFootprint(input: FootprintInput, data: EmissionData): Footprint {
  const lines: FootprintLine[] = [];
  const refused: RefusedItem[] = [];
  for (const [index, item] of input.items.entries()) {
    const counted = count(item, index, input, data);
    if ('refusal' in counted) refused.push({ ...item, item: index, refusal: counted.refusal });
    else lines.push(...counted.lines);
  }
  const scope = (number: 1 | 2 | 3) => sumOf(lines.filter((line) => line.scope === number));
  return {
    kgCO2e: sumOf(lines),
    scopes: { 1: scope(1), 2: scope(2), 3: scope(3) },
    categories: byCategory(lines),
    biogenicKgCO2: lines.reduce((sum, line) => sum + (line.biogenicKgCO2 ?? 0), 0),
    outsideKyotoKgCO2e: lines.reduce((sum, line) => sum + (line.outsideKyotoKgCO2e ?? 0), 0),
    lines,
    refused,
    caveats: [...doubleCaveats(lines), ...profileCaveats(lines, input)],
    dataVersion: data.version,
  };
}

/** Each remark once. Remarks on the whole come first. */
export function caveatsOf(footprint: Footprint): Caveat[] {
  const all = [...footprint.caveats, ...footprint.lines.flatMap((line) => line.caveats)];
  return [...new Map(all.map((caveat) => [JSON.stringify(caveat), caveat])).values()];
}
