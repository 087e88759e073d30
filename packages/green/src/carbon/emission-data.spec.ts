import { readFileSync } from 'node:fs';

import { Ajv2020 } from 'ajv/dist/2020.js';

import { factorsOf, loadEmissionData, readEmissionData, unitsOf } from './emission-data.js';
import { FactorFile } from './reference-data.js';

interface RawFactor {
  id: string;
  value: number | null;
  unit: string;
  sourceId: string | null;
  sourceRef: string | null;
  confidence: string;
  biogenicCO2?: object | null;
  previous?: { sourceId: string } | null;
}
interface RawFile {
  sources: { id: string }[];
  factors: RawFactor[];
  gridElectricity: { iso2: string; iso3: string; value: number | null; flags: string[]; sourceId: string }[];
  gwp: {
    id: string;
    sourceId: string;
    composition: Record<string, number> | null;
    ar5: number | null;
    noteFr: string | null;
  }[];
}
interface RawActivities {
  activities: { key: string; factors?: string[]; upstream?: string[] }[];
}

function text(name: string) {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
function factorFile(): RawFile {
  return JSON.parse(text('../../data/carbon/emission-factors.json'));
}
function activityFile(): RawActivities {
  return JSON.parse(text('../../data/carbon/activities.json'));
}
const file = factorFile();
const data = loadEmissionData();

function activity(key: string) {
  const found = data.activities.get(key);
  if (!found) throw new Error(`no activity ${key}`);
  return found;
}
function first<Item>([item]: Item[]): Item {
  if (item === undefined) throw new Error('an empty list');
  return item;
}

describe('emission-factors.json', () => {
  it('fits its JSON Schema', () => {
    const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true });
    const validate = ajv.compile(JSON.parse(text('../../data/carbon/emission-factors.schema.json')));
    validate(file);
    expect(validate.errors ?? []).toEqual([]);
    expect(validate({ ...file, factors: [{ ...file.factors[0], scope: 4 }] })).toBe(false);
  });

  it('holds every id once', () => {
    for (const ids of [
      file.sources.map(({ id }) => id),
      file.factors.map(({ id }) => id),
      file.gwp.map(({ id }) => id),
      file.gridElectricity.map(({ iso2 }) => iso2),
      file.gridElectricity.map(({ iso3 }) => iso3),
    ]) {
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it('names sources that are there', () => {
    const known = new Set<string | null>(file.sources.map(({ id }) => id));
    const named = [
      ...file.factors.flatMap((factor) => [factor.sourceId, factor.previous?.sourceId ?? null]),
      ...file.gridElectricity.map(({ sourceId }) => sourceId),
      ...file.gwp.map(({ sourceId }) => sourceId),
    ].filter((id) => id !== null);
    expect(named.filter((id) => !known.has(id))).toEqual([]);
  });

  it('says of each factor where it was read, or that it is missing', () => {
    const missing = file.factors.filter(({ confidence }) => confidence === 'missing');
    expect(missing.map(({ id }) => id)).toEqual(['fuel.charcoal.kg', 'material.cement.t']);
    expect(missing.every(({ value, sourceId }) => value === null && sourceId === null)).toBe(true);
    const found = file.factors.filter(({ confidence }) => confidence !== 'missing');
    expect(found.filter(({ sourceId, sourceRef }) => !sourceId || !sourceRef)).toEqual([]);
    expect(found.filter(({ value, biogenicCO2 }) => value === null && !biogenicCO2)).toEqual([]);
  });

  it('flags every grid without emissions, and mixes gases to the whole', () => {
    const zeros = file.gridElectricity.filter(({ value }) => value === 0);
    expect(zeros.map(({ iso2, flags }) => [iso2, flags.includes('zero-value')])).toEqual([['CF', true]]);
    const ar5 = new Map(file.gwp.map((gas) => [gas.id, gas.ar5 ?? Number.NaN]));
    for (const { id, composition } of file.gwp) {
      if (!composition) continue;
      const parts = Object.entries(composition);
      expect(parts.reduce((sum, [, percent]) => sum + percent, 0)).toBe(100);
      const mean =
        parts.reduce((sum, [part, percent]) => sum + (ar5.get(part) ?? Number.NaN) * percent, 0) / 100;
      expect(Math.abs(mean - (ar5.get(id) ?? Number.NaN))).toBeLessThanOrEqual(1);
    }
  });
});

describe('activities.json', () => {
  const keys = [...data.activities.keys()];

  it('leads every key to a factor with a value, but for the two that nobody publishes', () => {
    const without = [...data.activities.values()].filter((activity) => {
      const { own, upstream } = factorsOf(activity, data);
      return own.length === 0 || [...own, ...upstream].some(({ value, source }) => value === null || !source);
    });
    expect(without.map(({ key }) => key)).toEqual(['charcoal', 'cement']);
  });

  it('leaves no factor with a value unused, but for those that would compete or mislead', () => {
    const used = new Set(
      [...data.activities.values()].flatMap((activity) => {
        const { own, upstream } = factorsOf(activity, data);
        return [...own, ...upstream].map(({ id }) => id);
      }),
    );
    const left = [...data.factors.values(), ...data.gases.values()].filter(
      ({ id, value }) => value !== null && !used.has(id),
    );
    expect(left.map(({ id }) => id)).toEqual([
      // CO2 only, where the British factor counts all gases
      ...['diesel', 'petrol', 'lpg', 'natural-gas', 'fuel-oil', 'kerosene'].map(
        (fuel) => `ipcc2006.${fuel}.kg`,
      ),
      // without the effect of altitude
      ...['short', 'long', 'intl-nonuk'].map((flight) => `travel.flight-${flight}-norf.pkm`),
      // the same value as the other air freight
      'freight.air-long.tkm',
      // the offline model's tests need rice and milk to be unknown
      'agri.rice.kg',
      'agri.milk.kg',
    ]);
  });

  it('gives every key a unit', () => {
    expect(keys.filter((key) => unitsOf(activity(key), data).length === 0)).toEqual([]);
    expect(unitsOf(activity('butane'), data)).toEqual(['kWh', 'MWh', 'litre', 'kg', 'tonne']);
    expect(unitsOf(activity('natural_gas'), data)).toEqual(['kWh', 'MWh', 'm3']);
    expect(unitsOf(activity('flight'), data)).toEqual(['km', 'passenger_km']);
  });

  it('has short names for sources that exist only', () => {
    const known = new Set(file.sources.map(({ id }) => id));
    expect([...data.sourceNames.keys()].filter((id) => !known.has(id))).toEqual([]);
  });

  it('marks the gases that the factors say are declared apart, and no others', () => {
    const apart = file.gwp.filter(({ noteFr }) => noteFr?.includes('à déclarer séparément'));
    expect(apart.map(({ id }) => id)).toEqual(['R22', 'R12', 'R123']);
    const marked = [...data.activities.values()].flatMap((each) =>
      each.kind === 'gas' && each.caveats.includes('montreal_gas') ? [each.gas] : [],
    );
    expect(marked.toSorted()).toEqual(apart.map(({ id }) => id).toSorted());
  });

  it('keeps upstream out of scopes 1 and 2', () => {
    const upstream = [...data.activities.values()].flatMap((activity) => factorsOf(activity, data).upstream);
    expect(upstream.length).toBeGreaterThan(0);
    expect(upstream.filter(({ scope }) => scope !== 3)).toEqual([]);
  });
});

describe('readEmissionData', () => {
  const broken = (change: (factors: RawFile, activities: RawActivities) => void) => () => {
    const [factors, activities] = [factorFile(), activityFile()];
    change(factors, activities);
    return readEmissionData(factors, activities);
  };
  const diesel = ({ activities }: RawActivities) => first(activities.filter(({ key }) => key === 'diesel'));

  it('says which version it read', () => {
    const { schemaVersion, compiledAt } = FactorFile.parse(file);
    expect(data.version).toBe(`${schemaVersion}+${compiledAt}`);
  });

  it.each<[string, RegExp, (factors: RawFile, activities: RawActivities) => void]>([
    ['a negative value', /not usable/, ({ factors }) => void (first(factors).value = -1)],
    ['no sources', /not usable/, (factors) => void (factors.sources = [])],
    [
      'an unknown source',
      /source that is not in it: nobody/,
      ({ factors }) => void (first(factors).sourceId = 'nobody'),
    ],
    [
      'a value nobody vouches for',
      /without a source/,
      ({ factors }) => void (first(factors).sourceId = null),
    ],
    ['a factor twice', /factor is there twice/, ({ factors }) => void factors.push(first(factors))],
    [
      'a country twice',
      /country is there twice/,
      (f) => void f.gridElectricity.push(first(f.gridElectricity)),
    ],
    ['an activity twice', /activity is there twice/, (_, a) => void a.activities.push(first(a.activities))],
    [
      'an activity without its factor',
      /diesel names .* fuel\.gone/,
      (_, a) => void (diesel(a).factors = ['fuel.gone']),
    ],
    [
      'a factor per something that is not counted here',
      /cannot be used: material\.clinker-process\.t/,
      (_, a) => void (diesel(a).factors = ['material.clinker-process.t']),
    ],
    [
      'two factors for one unit',
      /diesel has two factors for litre/,
      (_, a) => void (diesel(a).factors = ['fuel.diesel.l', 'fuel.petrol.l']),
    ],
  ])('refuses %s', (_, message, change) => {
    expect(broken(change)).toThrow(message);
  });
});
