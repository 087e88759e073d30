import fc from 'fast-check';

import {
  instruments,
  loadFinancingData,
  otherSectors,
  type Programme,
  purposes,
  sectors,
} from './financing-data.js';
import type { Criterion } from './financing-matches.js';
import { judge, type Wish } from './judge.js';
import { isDirect, matchProgrammes, obstacleOf } from './matching.js';
import { membersOf, regions } from './places.js';

const data = loadFinancingData();
const nothing: Wish = {
  country: null,
  region: null,
  sectors: null,
  purposes: null,
  amount: null,
  instrument: null,
};
function programme(id: string): Programme {
  const found = data.programmes.find((one) => one.id === id);
  if (!found) throw new Error(`no programme ${id}`);
  return found;
}
function verdictOf(id: string, criterion: Criterion, wish: Partial<Wish>) {
  const judgement = judge(programme(id), { ...nothing, ...wish }).find((one) => one.criterion === criterion);
  return judgement && [judgement.verdict, judgement.reason.code];
}

const anyWish: fc.Arbitrary<Wish> = fc.record({
  country: fc.option(fc.constantFrom(...membersOf('africa'), 'FR', 'CO', 'TW')),
  region: fc.option(fc.constantFrom(...regions)),
  sectors: fc.option(fc.uniqueArray(fc.constantFrom(...sectors, ...otherSectors), { maxLength: 3 })),
  purposes: fc.option(fc.uniqueArray(fc.constantFrom(...purposes), { maxLength: 3 })),
  amount: fc.option(
    fc.record({
      value: fc.double({ min: 1, max: 1e12, noNaN: true }),
      currency: fc.constantFrom('EUR', 'USD', 'XOF', 'XAF', 'MAD', 'TWD'),
    }),
  ),
  instrument: fc.option(fc.constantFrom(...instruments)),
});

describe('a verdict', () => {
  it.each<[string, Criterion, Partial<Wish>, string, string]>([
    ['afd-sunref-uemoa', 'place', { country: 'SN' }, 'fits', 'place_named'],
    ['afd-sunref-uemoa', 'place', { country: 'KE' }, 'does_not_fit', 'place_elsewhere'],
    ['afd-gcf-tfsc', 'place', { country: 'GH' }, 'not_known', 'place_others_named'],
    ['youthadapt', 'place', { country: 'GH' }, 'fits', 'place_in_region'],
    ['fsa', 'place', { country: 'GH' }, 'not_known', 'place_members'],
    ['ip-ipae3', 'place', { country: 'MG' }, 'fits', 'place_named'],
    ['ip-ipae3', 'place', { country: 'KE' }, 'does_not_fit', 'place_elsewhere'],
    ['gcf', 'place', { country: 'FR' }, 'does_not_fit', 'place_elsewhere'],
    ['gcf', 'place', { country: 'CO' }, 'not_known', 'place_members'],
    ['afd-sunref-uemoa', 'place', { region: 'uemoa' }, 'fits', 'place_whole_region'],
    ['afd-sunref-uemoa', 'place', { region: 'west-africa' }, 'not_known', 'place_partly'],
    ['afd-sunref-uemoa', 'place', { region: 'cemac' }, 'does_not_fit', 'place_elsewhere'],
    ['fsa', 'place', { region: 'cemac' }, 'not_known', 'place_members'],
    ['afd-sunref-uemoa', 'purpose', { purposes: ['renewable-energy'] }, 'fits', 'purpose_named'],
    ['gcf', 'purpose', { purposes: ['renewable-energy'] }, 'fits', 'purpose_included'],
    ['agf', 'purpose', { purposes: ['renewable-energy'] }, 'not_known', 'purpose_general'],
    ['fie-burkina', 'purpose', { purposes: ['renewable-energy'] }, 'does_not_fit', 'purpose_other'],
    ['agf', 'purpose', { purposes: [] }, 'not_known', 'purpose_unread'],
    ['gcf', 'sector', { sectors: ['mining'] }, 'fits', 'sector_open'],
    ['afd-sunref-uemoa', 'sector', { sectors: ['agro-industry'] }, 'fits', 'sector_named'],
    ['eep-africa', 'sector', { sectors: ['agro-industry'] }, 'does_not_fit', 'sector_other'],
    ['youthadapt', 'sector', { sectors: ['agro-industry'] }, 'not_known', 'sector_akin'],
    ['eep-africa', 'sector', { sectors: [] }, 'not_known', 'sector_unread'],
    ['tamwilcom-green-invest', 'sector', { sectors: ['textile'] }, 'fits', 'sector_not_left_out'],
    ['tamwilcom-green-invest', 'sector', { sectors: ['real-estate'] }, 'does_not_fit', 'sector_left_out'],
    ['tamwilcom-green-invest', 'sector', { sectors: ['fishing'] }, 'not_known', 'sector_maybe_left_out'],
    ['gcf', 'amount', { amount: { value: 1, currency: 'USD' } }, 'not_known', 'amount_not_stated'],
    ['youthadapt', 'amount', { amount: { value: 100_000, currency: 'USD' } }, 'fits', 'amount_within'],
    ['youthadapt', 'amount', { amount: { value: 100_001, currency: 'USD' } }, 'does_not_fit', 'amount_above'],
    ['youthadapt', 'amount', { amount: { value: 1, currency: 'XOF' } }, 'not_known', 'amount_not_comparable'],
    ['bgfa', 'amount', { amount: { value: 655_957_000, currency: 'XOF' } }, 'fits', 'amount_within'],
    ['bgfa', 'amount', { amount: { value: 655_956_000, currency: 'XAF' } }, 'does_not_fit', 'amount_below'],
    [
      'tamwilcom-damane-istitmar',
      'amount',
      { amount: { value: 30_000_000, currency: 'MAD' } },
      'not_known',
      'amount_over_guarantee',
    ],
    ['youthadapt', 'instrument', { instrument: 'grant' }, 'fits', 'instrument_offered'],
    ['youthadapt', 'instrument', { instrument: 'loan' }, 'does_not_fit', 'instrument_other'],
    ['youthadapt', 'access', {}, 'fits', 'access_direct'],
    ['afd-gcf-tfsc', 'access', {}, 'fits', 'access_bank'],
    ['afd-choose-africa', 'access', {}, 'fits', 'access_intermediary'],
    ['gcf', 'access', {}, 'not_known', 'access_through_others'],
    ['afawa-g4g', 'access', {}, 'not_known', 'access_women'],
    ['gef-sgp', 'access', {}, 'does_not_fit', 'access_not_for_companies'],
    ['gcf', 'window', {}, 'fits', 'window_ongoing'],
    ['youthadapt', 'window', {}, 'not_known', 'window_calls'],
    ['afd-sunref-uemoa', 'window', {}, 'not_known', 'window_unknown'],
    ['afd-sunref-madagascar', 'window', {}, 'does_not_fit', 'window_closed'],
  ])('%s, %s of %j: %s', (id, criterion, wish, verdict, code) => {
    expect(verdictOf(id, criterion, wish)).toEqual([verdict, code]);
  });

  it('is given on nothing that was not asked', () => {
    expect(judge(programme('gcf'), nothing).map(({ criterion }) => criterion)).toEqual(['access', 'window']);
  });
});

describe('the lists', () => {
  const ids = (list: readonly { programme: Programme }[]) => list.map(({ programme: { id } }) => id);

  it('have for solar power of an agro-industry in Senegal what can be had there', () => {
    const { matches, near } = matchProgrammes(
      { ...nothing, country: 'SN', sectors: ['agro-industry'], purposes: ['renewable-energy'] },
      data,
    );
    // The country and the purpose are named: 4 + 4; no sector left out 2, by a bank 2, ongoing 1 or unknown 0.
    const through = matches.filter((one) => !isDirect(one));
    expect(through.slice(0, 2).map(({ programme: { id }, points }) => [id, points])).toEqual([
      ['boad-climat', 13],
      ['afd-sunref-uemoa', 12],
    ]);
    expect(ids(matches)).not.toContain('ebrd-geff-morocco');
    expect(near.every((one) => obstacleOf(one) !== null)).toBe(true);
    expect(ids(near).slice(0, 2)).toEqual(['get-invest-catalyst', 'electrifi']);
    expect(obstacleOf(near[0]!)).toBe('sector');
  });

  it('never have a closed window, or one that is not for companies, among the matches', () => {
    const { matches } = matchProgrammes({ ...nothing, country: 'MG' }, data);
    expect(ids(matches)).not.toContain('afd-sunref-madagascar');
    expect(ids(matches)).not.toContain('gef-sgp');
  });

  it('say what to leave out when nothing matches', () => {
    const wish: Wish = { ...nothing, country: 'DZ', purposes: ['forestry'], instrument: 'investment_bonus' };
    const { matches, widening } = matchProgrammes(wish, data);
    expect(matches).toEqual([]);
    expect(widening.map(({ criterion }) => criterion)).toContain('instrument');
    const without = {
      purpose: { purposes: null },
      instrument: { instrument: null },
      place: { country: null },
    };
    for (const { criterion, count } of widening) {
      const wider = { ...wish, ...without[criterion as keyof typeof without] };
      expect([criterion, matchProgrammes(wider, data).matches.length]).toEqual([criterion, count]);
    }
  });
});

describe('laws', () => {
  it('every programme stands in exactly one list', () => {
    fc.assert(
      fc.property(anyWish, (wish) => {
        const { matches, near, others } = matchProgrammes(wish, data);
        const all = [...matches, ...near, ...others].map(({ programme: { id } }) => id);
        expect(all.toSorted()).toEqual(data.programmes.map(({ id }) => id).toSorted());
        const fails = ({ judgements }: (typeof matches)[number]) =>
          judgements.filter(({ verdict }) => verdict === 'does_not_fit').length;
        expect(matches.every((one) => fails(one) === 0)).toBe(true);
        expect(near.every((one) => fails(one) === 1)).toBe(true);
        expect(others.every((one) => fails(one) > 1)).toBe(true);
      }),
    );
  });

  it('the order of the data does not matter; what a company can apply for itself comes first, then more points', () => {
    const shuffled = fc.shuffledSubarray([...data.programmes], { minLength: data.programmes.length });
    fc.assert(
      fc.property(anyWish, shuffled, (wish, programmes) => {
        const matching = matchProgrammes(wish, { programmes });
        expect(matching).toEqual(matchProgrammes(wish, data));
        const [direct, others] = [true, false].map((wanted) =>
          matching.matches.filter((one) => isDirect(one) === wanted),
        );
        expect(matching.matches).toEqual([...(direct ?? []), ...(others ?? [])]);
        const points = direct?.map((one) => one.points) ?? [];
        expect(points).toEqual(points.toSorted((a, b) => b - a));
      }),
    );
  });

  it('to ask for less never loses a match', () => {
    const asked = ['purposes', 'sectors', 'amount', 'instrument'] as const;
    fc.assert(
      fc.property(anyWish, fc.constantFrom(...asked), (wish, dropped) => {
        const before = matchProgrammes(wish, data).matches.map(({ programme: { id } }) => id);
        const after = matchProgrammes({ ...wish, [dropped]: null }, data).matches;
        const found = new Set(after.map(({ programme: { id } }) => id));
        expect(before.filter((id) => !found.has(id))).toEqual([]);
      }),
    );
  });
});
