import fc from 'fast-check';

import { loadEmissionData, unitsOf } from './emission-data.js';
import { caveatsOf, computeFootprint, maximumQuantity, type FootprintItem } from './footprint.js';

const data = loadEmissionData();

function item(activity: string, quantity: number, unit: string, country?: string): FootprintItem {
  return {
    activity,
    quantity,
    unit,
    country,
  };
}
function compute(...items: FootprintItem[]) {
  return computeFootprint({ items }, data);
}
function only(one: FootprintItem) {
  return compute(one).lines[0];
}
function refusal(one: FootprintItem) {
  const { lines, refused } = compute(one);
  expect(lines).toEqual([]);
  return refused[0]?.refusal;
}
function codes(one: FootprintItem) {
  return only(one)?.caveats.map(({ code }) => code);
}

const countable = [...data.activities.values()].filter(({ key }) => key !== 'charcoal' && key !== 'cement');
/** Any item that must be counted. */
const anyItem: fc.Arbitrary<FootprintItem> = fc
  .record({
    activity: fc.constantFrom(...countable),
    quantity: fc.double({ min: 1e-3, max: 1e9, noNaN: true }),
  })
  .chain(({ activity, quantity }) =>
    fc
      .constantFrom(...unitsOf(activity, data))
      .map((unit) => item(activity.key, quantity, unit, activity.kind === 'by-country' ? 'ZA' : 'SN')),
  );
const anyItems = fc.array(anyItem, { minLength: 1, maxLength: 20 });
function relative(one: number, other: number) {
  return Math.abs(one - other) / Math.max(Math.abs(other), 1e-9);
}

describe('computeFootprint', () => {
  it('counts 12,000 kWh in Senegal and 3,500 litres of diesel', () => {
    const footprint = computeFootprint(
      { country: 'SN', items: [item('electricity', 12_000, 'kWh'), item('diesel', 3_500, 'litre')] },
      data,
    );
    expect(footprint.scopes[2]).toBeCloseTo(6_424.8, 6); // 12,000 × 0.5354
    expect(footprint.scopes[1]).toBeCloseTo(9_315.425, 6); // 3,500 × 2.66155
    expect(footprint.scopes[3]).toBe(0);
    expect(footprint.kgCO2e).toBeCloseTo(15_740.225, 6);
    expect(
      footprint.lines.map(({ factor, source, year, geography }) => [factor, source.id, year, geography]),
    ).toEqual([
      [{ id: 'grid.SN', value: 0.5354, gas: 'CO2e', per: 'kWh' }, 'ember-co2js', 2023, 'SN'],
      [{ id: 'fuel.diesel.l', value: 2.66155, gas: 'CO2e', per: 'litre' }, 'desnz-2024-v1.1', 2024, 'GB'],
    ]);
  });

  it.each([
    ['electricity', item('electricity', 2, 'MWh', 'CI'), 2, 787.06],
    ['fuel by kilogram', item('butane', 12.5, 'kg'), 1, 37.91725838],
    ['fuel by cubic metre', item('natural_gas', 100, 'm3'), 1, 206.318],
    ['fuel by its energy', item('natural_gas', 1_000, 'kWh'), 1, 204.4],
    ['fuel from a secondary source', item('petroleum_coke', 10, 'kg'), 1, 31.6875],
    ['owned vehicle', item('truck', 1_000, 'km'), 1, 872.96],
    ['business travel', item('flight', 8_400, 'passenger_km'), 3, 1_197.252],
    ['hotel', item('hotel_night', 3, 'night', 'ZA'), 3, 154.2],
    ['freight', item('freight_sea', 50_000, 'tonne_km'), 3, 806],
    ['waste', item('waste_mixed_landfill', 800, 'kg'), 3, 416.42616],
    ['water', item('water_supply', 40_000, 'litre'), 3, 7.652],
    ['refrigerant', item('refrigerant_r410a', 2.5, 'kg'), 1, 4_810],
    ['material', item('concrete', 3, 'tonne'), 3, 356.37918],
    ['recycled material', item('material_aluminium_recycled', 500, 'kg'), 3, 497.53895],
    ['food of the world', item('food_maize', 2, 'tonne'), 3, 3_400],
    ['food in general', item('food_and_drink', 100, 'kg'), 3, 370.140359],
    ['a gas released', item('methane_release', 10, 'kg'), 1, 280],
    ['fuel by mass of the IPCC', item('lignite', 10, 'kg'), 1, 12.019],
  ] as const)('counts %s', (_, one, scope, kg) => {
    const line = only(one);
    expect(line?.scope).toBe(scope);
    expect(line?.kgCO2e).toBeCloseTo(kg, 6);
  });

  it('counts litres and kilograms of one fuel with the factor of each', () => {
    expect(only(item('diesel', 1, 'litre'))?.factor.id).toBe('fuel.diesel.l');
    expect(only(item('diesel', 1, 'm3'))?.kgCO2e).toBeCloseTo(2_661.55, 6);
    expect(only(item('diesel', 1, 'kg'))?.factor.id).toBe('fuel.diesel.t');
    expect(only(item('diesel', 1, 'kg'))?.kgCO2e).toBeCloseTo(3.20391143, 8);
  });

  it('takes the country of the item before that of the whole', () => {
    const { lines } = computeFootprint(
      { country: 'SN', items: [item('electricity', 1, 'kWh'), item('electricity', 1, 'kWh', 'ML')] },
      data,
    );
    expect(lines.map(({ geography }) => geography)).toEqual(['SN', 'ML']);
  });

  it('declares the CO2 of wood outside the scopes', () => {
    const footprint = compute(item('firewood', 2, 'tonne'));
    expect(footprint.kgCO2e).toBeCloseTo(92.51048, 6);
    expect(footprint.biogenicKgCO2).toBeCloseTo(2_872.46, 6);
  });

  it('declares gases of the Montreal Protocol apart: outside the total, its scopes and its categories', () => {
    const footprint = compute(item('refrigerant_r22', 10, 'kg'), item('diesel', 100, 'litre'));
    expect(footprint.outsideKyotoKgCO2e).toBe(17_600); // 10 × 1,760
    expect(footprint.kgCO2e).toBeCloseTo(266.155, 9); // 100 × 2.66155
    expect(footprint.scopes).toEqual({ 1: footprint.kgCO2e, 2: 0, 3: 0 });
    expect(footprint.categories).toEqual({ fuel: footprint.kgCO2e });
    expect(footprint.lines.map(({ kgCO2e, outsideKyotoKgCO2e }) => [kgCO2e, outsideKyotoKgCO2e])).toEqual([
      [0, 17_600],
      [footprint.kgCO2e, null],
    ]);
  });

  it('takes no other refrigerant for one of them', () => {
    const refrigerants = [...data.activities.values()].filter(({ category }) => category === 'refrigerant');
    const apart = refrigerants.filter(({ key }) => compute(item(key, 1, 'kg')).outsideKyotoKgCO2e > 0);
    expect(apart.map(({ key }) => key)).toEqual(['refrigerant_r22', 'refrigerant_r12', 'refrigerant_r123']);
  });
});

describe('upstream', () => {
  const items = [item('diesel', 3_500, 'litre'), item('truck', 10, 'km')];

  it('is left out, and said to be, unless asked for', () => {
    const footprint = computeFootprint({ items }, data);
    expect(footprint.scopes[3]).toBe(0);
    expect(caveatsOf(footprint)).toContainEqual({ code: 'upstream_left_out' });
  });

  it('adds a line in scope 3 and changes no other', () => {
    const [without, footprint] = [
      computeFootprint({ items }, data),
      computeFootprint({ items, upstream: true }, data),
    ];
    expect(footprint.scopes[1]).toBe(without.scopes[1]);
    expect(footprint.scopes[3]).toBeCloseTo(2_184.315, 6); // 3,500 × 0.62409
    expect(footprint.categories.fuel_upstream).toBe(footprint.scopes[3]);
    expect(caveatsOf(footprint)).not.toContainEqual({ code: 'upstream_left_out' });
  });

  it('is said to be unknown where there is no factor for the unit', () => {
    const footprint = computeFootprint({ items: [item('diesel', 10, 'kg')], upstream: true }, data);
    expect(footprint.lines).toHaveLength(1);
    expect(caveatsOf(footprint)).toContainEqual({ code: 'upstream_unknown' });
  });
});

describe('refusals', () => {
  it.each([
    ['an unknown activity', item('unicorn', 1, 'kg'), { code: 'unknown_activity' }],
    ['a key of Object.prototype', item('constructor', 1, 'kg'), { code: 'unknown_activity' }],
    ['electricity of no country', item('electricity', 1, 'kWh'), { code: 'country_needed' }],
    [
      'a country without a factor',
      item('electricity', 1, 'kWh', 'FR'),
      { code: 'no_grid_factor', country: 'FR' },
    ],
    [
      'a grid said to emit nothing',
      item('electricity', 1, 'kWh', 'CF'),
      { code: 'zero_grid_factor', country: 'CF' },
    ],
    ['a hotel of no country', item('hotel_night', 1, 'night'), { code: 'country_needed' }],
    [
      'a hotel where there is no factor',
      item('hotel_night', 1, 'night', 'SN'),
      { code: 'no_country_factor', country: 'SN', countries: ['EG', 'ZA', 'FR'] },
    ],
    ['charcoal', item('charcoal', 1, 'kg'), { code: 'no_factor' }],
    ['cement', item('cement', 1, 'tonne'), { code: 'no_factor' }],
    ['coal by the litre', item('coal', 1, 'litre'), { code: 'wrong_unit', units: ['kg', 'tonne'] }],
    [
      'a cubic metre of bottled gas',
      item('propane', 1, 'm3'),
      { code: 'wrong_unit', units: expect.any(Array) },
    ],
    ['a unit that is none', item('diesel', 1, 'gallon'), { code: 'wrong_unit', units: expect.any(Array) }],
    ['nothing', item('diesel', 0, 'litre'), { code: 'bad_quantity' }],
    ['less than nothing', item('diesel', -1, 'litre'), { code: 'bad_quantity' }],
    ['no number', item('diesel', Number.NaN, 'litre'), { code: 'bad_quantity' }],
    ['no end', item('diesel', Number.POSITIVE_INFINITY, 'litre'), { code: 'bad_quantity' }],
    ['too much', item('diesel', maximumQuantity * 1.001, 'litre'), { code: 'bad_quantity' }],
  ] as const)('refuses %s', (_, one, expected) => {
    expect(refusal(one)).toEqual(expected);
  });

  it('counts the rest', () => {
    const footprint = compute(
      item('charcoal', 5, 'kg'),
      item('diesel', 1, 'litre'),
      item('cement', 1, 'tonne'),
    );
    expect(footprint.kgCO2e).toBeCloseTo(2.66155, 8);
    expect(footprint.lines.map((line) => line.item)).toEqual([1]);
    expect(footprint.refused.map((one) => [one.item, one.activity])).toEqual([
      [0, 'charcoal'],
      [2, 'cement'],
    ]);
  });
});

describe('caveats', () => {
  it.each([
    ['the average of a grid', item('electricity', 1, 'kWh', 'SN'), ['grid_average']],
    ['editions that differ', item('electricity', 1, 'kWh', 'DJ'), ['grid_average', 'grid_differs']],
    ['an older year', item('electricity', 1, 'kWh', 'MG'), ['grid_average', 'grid_old']],
    ['another country', item('water_supply', 1, 'm3'), ['proxy_geography']],
    [
      'a secondary source',
      item('petroleum_coke', 1, 'kg'),
      ['secondary_source', 'co2_only', 'upstream_left_out'],
    ],
    ['biomass', item('firewood', 1, 'kg'), ['proxy_geography', 'biogenic_apart', 'upstream_left_out']],
    ['calorific value', item('diesel', 1, 'kWh'), ['proxy_geography', 'net_calorific', 'upstream_left_out']],
    ['one passenger', item('flight', 1, 'km'), ['radiative_forcing', 'proxy_geography', 'one_passenger']],
    ['a landfill', item('waste_food_landfill', 1, 'kg'), ['open_dump', 'proxy_geography']],
    ['a vehicle', item('car', 1, 'km'), ['fuel_is_better', 'proxy_geography']],
    ['food', item('food_coffee', 1, 'kg'), ['world_average']],
    ['a Montreal gas', item('refrigerant_r22', 1, 'kg'), ['montreal_gas', 'warming_potential']],
  ])('say %s', (_, one, expected) => {
    expect(codes(one)).toEqual(expected);
  });

  it('warn of fuel and kilometres of one vehicle', () => {
    expect(compute(item('diesel', 1, 'litre'), item('car', 1, 'km')).caveats).toEqual([
      { code: 'counted_twice' },
    ]);
    expect(compute(item('diesel', 1, 'litre'), item('taxi', 1, 'km')).caveats).toEqual([]);
  });
});

describe('laws', () => {
  it('scopes, categories and lines each add up to the total', () => {
    fc.assert(
      fc.property(anyItems, fc.boolean(), (items, upstream) => {
        const { kgCO2e, scopes, categories, lines, refused } = computeFootprint({ items, upstream }, data);
        expect(refused).toEqual([]);
        expect(relative(scopes[1] + scopes[2] + scopes[3], kgCO2e)).toBeLessThan(1e-12);
        const byCategory = Object.values(categories).reduce((sum, kg) => sum + kg, 0);
        expect(relative(byCategory, kgCO2e)).toBeLessThan(1e-12);
        expect(lines.reduce((sum, line) => sum + line.kgCO2e, 0)).toBe(kgCO2e);
        const amounts = lines.map((line) => line.outsideKyotoKgCO2e ?? line.kgCO2e);
        expect(amounts.every((kg) => kg > 0)).toBe(true);
        expect(lines.every(({ source }) => source.publisher !== '')).toBe(true);
      }),
    );
  });

  it('the order of items does not matter', () => {
    const shuffled = anyItems.chain((items) =>
      fc.tuple(fc.constant(items), fc.shuffledSubarray(items, { minLength: items.length })),
    );
    fc.assert(
      fc.property(shuffled, ([items, other]) => {
        const [one, two] = [compute(...items), compute(...other)];
        expect(relative(two.kgCO2e, one.kgCO2e)).toBeLessThan(1e-12);
        const kilograms = ({ lines }: typeof one) =>
          lines.map((line) => line.kgCO2e).toSorted((a, b) => a - b);
        expect(kilograms(two)).toEqual(kilograms(one));
      }),
    );
  });

  it('twice the quantity is twice the line', () => {
    fc.assert(
      fc.property(anyItem, (one) => {
        const amountOf = (each: FootprintItem): number => {
          const { kgCO2e, outsideKyotoKgCO2e } = compute(each);
          return kgCO2e + outsideKyotoKgCO2e;
        };
        expect(amountOf({ ...one, quantity: one.quantity * 2 })).toBe(amountOf(one) * 2);
      }),
    );
  });
});
