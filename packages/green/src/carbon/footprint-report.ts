import type { JsonObject } from '@palabre/plugin';

import type { CarbonFootprint } from './footprint-details.js';

/** Three decimals at most: a model should not repeat finer figures. */
function rounded(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(4));
}

/** A footprint for the model: rounded, most important first. If the result is cut, only lines at the end are lost. */
export function shortenFootprint(details: CarbonFootprint): JsonObject {
  const { summary, period, scopes, categories, biogenicKgCO2, outsideKyotoKgCO2e } = details;
  return {
    summary,
    ...(period === null ? {} : { period }),
    totalTonnesCO2e: rounded(details.totalTonnesCO2e),
    scopes: {
      unit: 'tCO2e',
      ...Object.fromEntries(scopes.map(({ scope, kgCO2e }) => [`scope${scope}`, rounded(kgCO2e / 1000)])),
    },
    categories: {
      unit: 'tCO2e',
      ...Object.fromEntries(categories.map(({ code, kgCO2e }) => [code, rounded(kgCO2e / 1000)])),
    },
    ...(biogenicKgCO2 > 0 ? { biogenicKgCO2OutsideScopes: rounded(biogenicKgCO2) } : {}),
    ...(outsideKyotoKgCO2e > 0 ? { outsideKyotoKgCO2e: rounded(outsideKyotoKgCO2e) } : {}),
    refused: details.refused.map(({ activity, label, quantity, unit, reason }) => ({
      activity,
      label,
      quantity,
      unit,
      reason,
    })),
    caveats: details.remarks,
    sources: details.sources.map(({ id, publisher, title, year, url }) => ({
      id,
      publisher,
      title,
      year,
      url,
    })),
    dataVersion: details.dataVersion,
    // The text of a line has its quantity, factor, result, scope and year. Separate fields would repeat them.
    lines: details.lines.map(({ text, source, geography, remarks }) => ({
      text,
      source,
      geography: geography.code,
      caveats: remarks.map(({ code }) => code),
    })),
  };
}
