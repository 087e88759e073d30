import type { EmissionData } from './emission-data.js';
import { isProxy } from './factor-choice.js';
import type { CarbonFootprint } from './footprint-details.js';
import { labelOf, sayLine, summarise } from './footprint-summary.js';
import { caveatsOf, type Footprint, type FootprintLine, type LineCategory } from './footprint.js';
import { type Gap, gaps, scopeOf } from './inventory.js';
import type { Caveat } from './remark.js';
import { fill, type Wording } from '../wording.js';
import { sayCaveat, sayRefusal, unitName } from './carbon-wording.js';

/** What the question states besides the quantities. */
export interface FootprintFrame {
  country?: string | undefined;
  period?: string | undefined;
}

interface Words {
  wording: Wording;
  data: EmissionData;
}

/** Rounded to the gram. */
function kilograms(kg: number): number {
  return Math.round(kg * 1000) / 1000;
}

/** Each source once, in its citable form. */
function sourcesOf(lines: readonly FootprintLine[]): CarbonFootprint['sources'] {
  return [...new Map(lines.map(({ source }) => [source.id, source])).values()].map(
    ({ id, publisher, title, year, licence, url }) => ({ id, publisher, title, year, licence, url }),
  );
}

function shareOf(kg: number, { kgCO2e }: Footprint): number {
  return kgCO2e > 0 ? kg / kgCO2e : 0;
}

function nameOf(geography: string, { wording }: Words): string {
  return geography === 'GLOBAL' ? wording.carbon.world : wording.speech.country(geography);
}

function remark(caveat: Caveat, { wording }: Words) {
  return {
    code: caveat.code,
    text: sayCaveat(caveat, wording),
  };
}

function sayApproximation({ geography, usedIn, category }: FootprintLine, words: Words): string | null {
  if (category === 'electricity' || !isProxy(geography, usedIn ?? undefined)) return null;
  const { speech, carbon } = words.wording;
  return fill(carbon.approximation, {
    country: speech.country(geography),
    usedIn: usedIn && speech.country(usedIn),
  });
}

function detailLine(
  line: FootprintLine,
  footprint: Footprint,
  words: Words,
): CarbonFootprint['lines'][number] {
  const { wording, data } = words;
  const { carbon: texts } = wording;
  const { factor } = line;
  const label = labelOf(line.activity, wording, data);
  return {
    item: line.item,
    activity: line.activity,
    label: line.category === 'fuel_upstream' ? fill(texts.upstream, { label }) : label,
    text: sayLine(line, wording, data),
    category: { code: line.category, label: texts.categories[line.category] },
    scope: line.scope,
    quantity: line.quantity,
    unit: { code: line.unit, label: unitName(wording, line.unit) },
    kgCO2e: kilograms(line.kgCO2e),
    share: shareOf(line.kgCO2e, footprint),
    biogenicKgCO2: line.biogenicKgCO2 === null ? null : kilograms(line.biogenicKgCO2),
    outsideKyotoKgCO2e: line.outsideKyotoKgCO2e === null ? null : kilograms(line.outsideKyotoKgCO2e),
    factor: { id: factor.id, value: factor.value, unit: `kg${factor.gas}/${factor.per}` },
    source: line.source.id,
    year: line.year,
    geography: { code: line.geography, label: nameOf(line.geography, words) },
    approximation: sayApproximation(line, words),
    remarks: line.caveats.map((caveat) => remark(caveat, words)),
  };
}

function detailCategories(footprint: Footprint, { wording }: Words): CarbonFootprint['categories'] {
  return (Object.entries(footprint.categories) as [LineCategory, number][])
    .toSorted(([, one], [, other]) => other - one)
    .map(([code, kg]) => ({
      code,
      label: wording.carbon.categories[code],
      kgCO2e: kilograms(kg),
      share: shareOf(kg, footprint),
    }));
}

/** What a footprint of the whole company would need as well. Countable things come first. */
function notCounted({ lines }: Footprint, { wording }: Words): CarbonFootprint['notCounted'] {
  const given = new Set(lines.map(({ category }) => category));
  // The production of fuels matters only where fuels are counted.
  const open = (category: LineCategory): boolean =>
    !given.has(category) && (category !== 'fuel_upstream' || given.has('fuel'));
  const countable = (Object.keys(scopeOf) as LineCategory[]).filter(open).map((category) => ({
    category,
    label: wording.carbon.categories[category],
    scope: scopeOf[category],
    canBeCounted: true,
  }));
  const without = (Object.keys(gaps) as Gap[]).map((category) => ({
    category,
    label: wording.carbon.gaps[category],
    scope: gaps[category],
    canBeCounted: false,
  }));
  return [...countable, ...without];
}

/** The whole footprint in one language, for the API and reports. */
export function detailFootprint(
  footprint: Footprint,
  wording: Wording,
  data: EmissionData,
  { country, period }: FootprintFrame,
): CarbonFootprint {
  const words: Words = { wording, data };
  return {
    kind: 'carbon_footprint',
    dataVersion: footprint.dataVersion,
    language: wording.language,
    summary: summarise(footprint, wording, data, period),
    period: period ?? null,
    country: country ? { code: country, label: wording.speech.country(country) } : null,
    warmingPotentials: `IPCC ${data.gwpSet.toUpperCase()}`,
    totalKgCO2e: kilograms(footprint.kgCO2e),
    totalTonnesCO2e: kilograms(footprint.kgCO2e) / 1000,
    biogenicKgCO2: kilograms(footprint.biogenicKgCO2),
    outsideKyotoKgCO2e: kilograms(footprint.outsideKyotoKgCO2e),
    scopes: ([1, 2, 3] as const).map((scope) => ({
      scope,
      label: wording.carbon.scopes[scope],
      kgCO2e: kilograms(footprint.scopes[scope]),
      share: shareOf(footprint.scopes[scope], footprint),
    })),
    categories: detailCategories(footprint, words),
    lines: footprint.lines.map((line) => detailLine(line, footprint, words)),
    refused: footprint.refused.map(({ item, activity, quantity, unit, refusal }) => ({
      item,
      activity,
      label: labelOf(activity, wording, data),
      quantity,
      unit,
      reason: sayRefusal(refusal, wording),
    })),
    notCounted: notCounted(footprint, words),
    remarks: caveatsOf(footprint).map((caveat) => remark(caveat, words)),
    sources: sourcesOf(footprint.lines),
  };
}
