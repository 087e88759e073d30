import type { JsonObject } from '@palabre/plugin';
import type { EmissionData } from './emission-data.js';
import type { CarbonFootprint } from './footprint-details.js';
import { labelOf, sayLine, summarise } from './footprint-summary.js';
import { caveatsOf, type Footprint, type FootprintLine, type RefusedItem } from './footprint.js';
import { type CarbonWording, sayCaveat, sayRefusal } from './carbon-wording.js';

/** To the gram. */
export function kilograms(kg: number): number {
  return Math.round(kg * 1000) / 1000;
}
export function tonnes(kg: number): number {
  return Math.round(kg * 1000) / 1e6;
}

function reportLine(line: FootprintLine, wording: CarbonWording, data: EmissionData): JsonObject {
  return {
    activity: line.activity,
    label: labelOf(line.activity, wording, data),
    text: sayLine(line, wording, data),
    category: line.category,
    scope: line.scope,
    quantity: line.quantity,
    unit: line.unit,
    kgCO2e: kilograms(line.kgCO2e),
    ...(line.biogenicKgCO2 === null ? {} : { biogenicKgCO2OutsideScopes: kilograms(line.biogenicKgCO2) }),
    ...(line.outsideKyotoKgCO2e === null ? {} : { outsideKyotoKgCO2e: kilograms(line.outsideKyotoKgCO2e) }),
    factor: {
      id: line.factor.id,
      value: line.factor.value,
      unit: `kg${line.factor.gas}/${line.factor.per}`,
    },
    source: line.source.id,
    year: line.year,
    geography: line.geography,
    caveats: line.caveats.map((caveat) => caveat.code),
  };
}

/** Each source once, as it has to be cited. */
export function reportSources(lines: readonly FootprintLine[]): CarbonFootprint['sources'] {
  return [...new Map(lines.map(({ source }) => [source.id, source])).values()].map((source) => ({
    id: source.id,
    publisher: source.publisher,
    title: source.title,
    year: source.year,
    licence: source.licence,
    url: source.url,
  }));
}

/** One refused item with its reason in words. */
export function reportRefusal(item: RefusedItem, wording: CarbonWording, data: EmissionData): JsonObject {
  return {
    activity: item.activity,
    label: labelOf(item.activity, wording, data),
    quantity: item.quantity,
    unit: item.unit,
    reason: sayRefusal(item.refusal, wording),
  };
}

/**
 * The footprint as JSON for the model and for clients: kilograms and tonnes to the gram, what matters most first,
 * so that a result cut short loses single lines and not the sense.
 */
export function reportFootprint(
  footprint: Footprint,
  wording: CarbonWording,
  data: EmissionData,
  period?: string,
): JsonObject {
  const { scopes, categories, biogenicKgCO2, outsideKyotoKgCO2e } = footprint;
  return {
    summary: summarise(footprint, wording, data, period),
    ...(period ? { period } : {}),
    totalTonnesCO2e: tonnes(footprint.kgCO2e),
    totalKgCO2e: kilograms(footprint.kgCO2e),
    scopes: {
      unit: 'tCO2e',
      scope1: tonnes(scopes[1]),
      scope2: tonnes(scopes[2]),
      scope3: tonnes(scopes[3]),
    },
    categories: {
      unit: 'tCO2e',
      ...Object.fromEntries(Object.entries(categories).map(([category, kg]) => [category, tonnes(kg)])),
    },
    ...(biogenicKgCO2 > 0 ? { biogenicKgCO2OutsideScopes: kilograms(biogenicKgCO2) } : {}),
    ...(outsideKyotoKgCO2e > 0 ? { outsideKyotoKgCO2e: kilograms(outsideKyotoKgCO2e) } : {}),
    refused: footprint.refused.map((item) => reportRefusal(item, wording, data)),
    caveats: caveatsOf(footprint).map((caveat) => ({
      code: caveat.code,
      text: sayCaveat(caveat, wording),
    })),
    sources: reportSources(footprint.lines),
    dataVersion: footprint.dataVersion,
    lines: footprint.lines.map((line) => reportLine(line, wording, data)),
  };
}
