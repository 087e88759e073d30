import { languages, wordingOf } from '../wording.js';
import { sayCaveat, sayRefusal } from './carbon-wording.js';
import type { Caveat, Refusal } from './remark.js';

const caveats: Caveat[] = [
  { code: 'proxy_geography', country: 'GB' },
  { code: 'grid_differs', country: 'DJ', value: 0.45, otherValue: 0.692308, otherYear: 2022 },
  { code: 'grid_old', country: 'MG', year: 2022 },
  { code: 'proxy_geography', country: 'GB', usedIn: 'SN' },
  { code: 'warming_potential', set: 'AR5' },
  { code: 'world_average' },
];
const refusals: Refusal[] = [
  { code: 'wrong_unit', units: ['kg', 'tonne'] },
  { code: 'zero_grid_factor', country: 'CF' },
  { code: 'no_country_factor', country: 'SN', countries: ['EG', 'ZA'] },
];

describe('wordings', () => {
  it.each(languages)('say every remark in %s in words of their own', (language) => {
    const wording = wordingOf(language);
    const said = [
      ...caveats.map((caveat) => sayCaveat(caveat, wording)),
      ...refusals.map((refusal) => sayRefusal(refusal, wording)),
    ];
    expect(new Set(said).size).toBe(said.length);
    expect(said.filter((text) => /undefined|NaN|\[object/.test(text))).toEqual([]);
    expect(said[1]).toMatch(/0[.,]6923/);
  });

  it('do not share a sentence between languages', () => {
    const all = languages.map((language) => {
      const wording = wordingOf(language);
      return sayRefusal({ code: 'no_factor' }, wording);
    });
    expect(new Set(all).size).toBe(languages.length);
  });
});
