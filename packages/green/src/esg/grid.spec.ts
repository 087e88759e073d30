import { Ajv2020 } from 'ajv/dist/2020.js';

import criteria from '../../data/esg/esg-criteria.json' with { type: 'json' };
import schema from '../../data/esg/esg-criteria.schema.json' with { type: 'json' };
import { loadGrid, readGrid } from './grid.js';

interface RawIndicator {
  id: string;
  pillar: string;
  topic: string;
  weight: number;
  answer: { kind: string; points: number[]; unit: string; at0: number; at100: number };
  codes: {
    vsme: { code: string; paragraph: string }[];
    gri: string[];
    ifc: string[];
    iso26000: string[];
    sdg: number[];
  };
}
interface RawFile {
  schemaVersion: string;
  compiledAt: string;
  scoringRule: { pillarWeights: Record<string, number>; grades: { min: number }[] };
  sources: { id: string }[];
  topics: string[];
  sectors: { id: string; multipliers: Record<string, number> }[];
  indicators: RawIndicator[];
}

function rawFile() {
  return structuredClone(criteria) as unknown as RawFile;
}
const grid = loadGrid();

describe('esg-criteria.json', () => {
  it('fits its JSON Schema', () => {
    const ajv = new Ajv2020({ allErrors: true, strictRequired: false, allowUnionTypes: true });
    const validate = ajv.compile(schema);
    const file = rawFile();
    validate(file);
    expect(validate.errors ?? []).toEqual([]);
    expect(validate({ ...file, indicators: [{ ...file.indicators[0], pillar: 'X' }] })).toBe(false);
  });

  it('holds what the README counts', () => {
    expect(grid.version).toBe('2.0.0+2026-11-21');
    expect([grid.indicators.size, grid.topics.length, grid.sectors.size]).toEqual([38, 17, 8]);
    expect(grid.pillars).toEqual([
      { id: 'E', weight: 0.35 },
      { id: 'S', weight: 0.35 },
      { id: 'G', weight: 0.3 },
    ]);
    expect(grid.minimumCoverage).toBe(0.6);
  });

  it('gives every indicator codes, with the source that they are from', () => {
    const without = [...grid.indicators.values()].filter(
      ({ codes, sources }) => codes.iso26000.length === 0 || codes.sdg.length === 0 || sources.length === 0,
    );
    expect(without).toEqual([]);
    expect(grid.indicators.get('E07')?.sources).toEqual([
      'efrag-vsme-2026-05-01',
      'gri-list',
      'gri2-list',
      'ifc-ps-2012',
      'iso26000-asq',
      'sdg',
    ]);
  });

  it('lets nobody set aside what concerns everybody', () => {
    const always = [...grid.indicators.values()].filter((each) => !each.maybeNotApplicable);
    for (const id of ['E03', 'S10', 'G03', 'G04', 'G06']) expect(always.map((each) => each.id)).toContain(id);
    // Whatever is excluded, every pillar has enough left for a score.
    expect(new Set(always.map(({ pillar }) => pillar))).toEqual(new Set(['E', 'S', 'G']));
  });
});

describe('readGrid', () => {
  const indicator = ({ indicators }: RawFile, id: string): RawIndicator =>
    indicators.find((each) => each.id === id)!;

  it.each<[string, RegExp, (file: RawFile) => void]>([
    ['a weight of nothing', /not usable/, (file) => void (indicator(file, 'E01').weight = 0)],
    [
      'weights that are not 100',
      /pillar E add up to 101/,
      (file) => void (indicator(file, 'E01').weight += 1),
    ],
    [
      'pillars that are not the whole',
      /pillars do not add up/,
      (f) => void (f.scoringRule.pillarWeights.E = 0.4),
    ],
    ['scores without a grade', /no grade for the lowest/, (f) => void f.scoringRule.grades.pop()],
    [
      'an indicator twice',
      /indicator E01 is there twice/,
      (f) => void f.indicators.push(indicator(f, 'E01')),
    ],
    ['a sector twice', /sector agro is there twice/, (file) => void file.sectors.push(file.sectors[0]!)],
    ['an unknown topic', /E01 is of an unknown topic, air/, (f) => void (indicator(f, 'E01').topic = 'air')],
    [
      'a sector with an unknown topic',
      /agro weighs an unknown/,
      (f) => void (f.sectors[0]!.multipliers.air = 1),
    ],
    ['a multiplier out of bounds', /not usable/, (f) => void (f.sectors[0]!.multipliers.water = 3)],
    [
      'an unknown paragraph',
      /E01 names .* VSME B3 §99/,
      (f) => void (indicator(f, 'E01').codes.vsme[0]!.paragraph = '99'),
    ],
    ['an unknown GRI code', /GRI 999-1/, (f) => void indicator(f, 'E01').codes.gri.push('999-1')],
    ['an unknown IFC code', /IFC PS9/, (f) => void indicator(f, 'E01').codes.ifc.push('PS9')],
    ['an unknown ISO code', /ISO 26000 6\.9/, (f) => void indicator(f, 'E01').codes.iso26000.push('6.9')],
    ['an unknown goal', /SDG 18/, (f) => void indicator(f, 'E01').codes.sdg.push(18)],
    ['a source that is gone', /rests on a source .* sdg/, (f) => void f.sources.pop()],
    ['levels out of order', /levels of E01/, (f) => void indicator(f, 'E01').answer.points.unshift(100)],
    ['another kind of answer', /not usable/, (f) => void (indicator(f, 'E01').answer.kind = 'amount')],
    ['an unknown unit', /not usable/, (f) => void (indicator(f, 'E02').answer.unit = 'kWh')],
    ['bounds that are one', /bounds of E02/, (f) => void (indicator(f, 'E02').answer.at0 = 60)],
    [
      'a pillar that is not the id’s',
      /E01 is in another pillar/,
      (f) => {
        indicator(f, 'E01').pillar = 'S';
        indicator(f, 'E02').weight += 10;
        indicator(f, 'S01').weight -= 10;
      },
    ],
  ])('refuses %s', (_, message, change) => {
    const file = rawFile();
    change(file);
    expect(() => readGrid(file)).toThrow(message);
  });
});
