import { SkillError } from '@palabre/plugin';
import { fill, wordingOf } from '../wording.js';
import { detailFootprint } from './detailed-footprint.js';
import { loadEmissionData } from './emission-data.js';
import { ArgumentReader } from './footprint-arguments.js';
import type { CarbonFootprint, FootprintGiven } from './footprint-details.js';
import { sayRefused } from './footprint-summary.js';
import { computeFootprint } from './footprint.js';

/** Inconsistent data stops the start, not a turn. */
export const data = loadEmissionData();
export const reader = new ArgumentReader(data);

export interface Calculated {
  given: FootprintGiven;
  result: CarbonFootprint;
}

/** Calculates a footprint in a language. Throws SkillError where nothing can be counted. */
export function calculated(
  given: FootprintGiven,
  profileCountry: string | null,
  language: string,
): Calculated {
  const wording = wordingOf(language);
  const footprint = computeFootprint({ ...given, profileCountry }, data);
  if (footprint.lines.length === 0) {
    const reasons = new Set(footprint.refused.map((item) => sayRefused(item, wording, data)));
    throw new SkillError(fill(wording.carbon.nothing, { reasons: [...reasons].join(' · ') }));
  }
  const isProfiles = footprint.caveats.some(({ code }) => code === 'profile_country');
  const frame = isProfiles ? { ...given, country: profileCountry ?? undefined } : given;
  return { given, result: detailFootprint(footprint, wording, data, frame) };
}
