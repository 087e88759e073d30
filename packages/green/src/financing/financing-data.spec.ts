import { readFileSync } from 'node:fs';

import { Ajv2020 } from 'ajv/dist/2020.js';

import {
  accesses,
  bases,
  instruments,
  loadFinancingData,
  purposes,
  readFinancingData,
  statuses,
} from './financing-data.js';
import { liesIn, membersOf, regions } from './places.js';

interface RawProgramme {
  id: string;
  ticketNoteFr: string | null;
  ticketNoteEn: string | null;
  [key: string]: unknown;
}
interface RawFile {
  enums: { instruments: string[]; smeAccess: string[]; status: string[] };
  programmes: RawProgramme[];
  [key: string]: unknown;
}

function text(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
function file(): RawFile {
  return JSON.parse(text('../../data/financing/green-financing.json')) as RawFile;
}
/** The file with one programme changed. */
function changed(change: Record<string, unknown>): RawFile {
  const raw = file();
  Object.assign(raw.programmes[0]!, change);
  return raw;
}

describe('green-financing.json', () => {
  it('fits its JSON Schema', () => {
    const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
    const validate = ajv.compile(
      JSON.parse(text('../../data/financing/green-financing.schema.json')) as object,
    );
    validate(file());
    expect(validate.errors ?? []).toEqual([]);
    expect(validate(changed({ status: 'open' }))).toBe(false);
  });

  it('is loaded whole, with its version', () => {
    const data = loadFinancingData();
    expect(data.programmes).toHaveLength(36);
    expect(data.version).toBe('2.0.0+2026-11-21');
    expect(data.programmes.filter(({ ticketMax }) => ticketMax !== null)).toHaveLength(12);
  });

  it('uses the words that its own list and the schema give', () => {
    const raw = file();
    expect(raw.enums).toEqual({ instruments, smeAccess: accesses, status: statuses });
    const used = new Set(loadFinancingData().programmes.flatMap(({ themes }) => themes));
    expect(new Set(purposes)).toEqual(used);
    const schema = JSON.parse(text('../../data/financing/green-financing.schema.json')) as {
      $defs: { programme: { properties: { ticketBasis: { enum: (string | null)[] } } } };
    };
    expect(schema.$defs.programme.properties.ticketBasis.enum).toEqual([...bases, null]);
  });

  it('gives each note in both of its languages, with the same figures', () => {
    // 4,3 and 4.3 are one figure; «10 MDH» and «MAD 10m» too.
    const figures = (note: string | null): string[] =>
      [...(note ?? '').matchAll(/\d+/g)].map(([digits]) => digits).toSorted();
    for (const { id, ticketNoteFr, ticketNoteEn } of file().programmes)
      expect([id, figures(ticketNoteEn)]).toEqual([id, figures(ticketNoteFr)]);
  });
});

describe('the loader', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['an instrument that is none', { instruments: ['lottery'] }, /not usable/],
    ['a country that is none', { eligibleCountries: ['XXX'] }, /no African country/],
    ['a region that is none', { eligibleRegions: ['atlantis'] }, /region is not known/],
    ['a field that is none', { rating: 5 }, /not usable/],
    ['an amount without a currency', { ticketMax: 5, ticketBasis: 'grant_amount' }, /gcf.*no currency/],
    ['an amount of what', { ticketMax: 5, currency: 'EUR' }, /gcf.*no currency or basis/],
    ['a basis of nothing', { ticketBasis: 'grant_amount' }, /gcf.*no amount/],
    [
      'more at least than at most',
      { ticketMin: 9, ticketMax: 5, currency: 'EUR', ticketBasis: 'grant_amount' },
      /gcf.*reversed/,
    ],
    ['no place', { eligibleRegions: [] }, /gcf.*no place/],
    ['an id that is there', { id: 'agf' }, /twice/],
    [
      'an address that is none',
      { sources: [{ publisher: 'x', url: 'javascript:1', year: null, type: 'press' }] },
      /url/i,
    ],
  ])('refuses %s', (_, change, message) => {
    expect(() => readFinancingData(changed(change))).toThrow(message);
  });
});

describe('places', () => {
  it.each([
    ['SN', 'uemoa', true],
    ['SN', 'west-africa', true],
    ['GH', 'uemoa', false],
    ['CM', 'cemac', true],
    ['MA', 'sub-saharan-africa', false],
    ['SD', 'sub-saharan-africa', true],
    ['FR', 'africa', false],
    ['FR', 'developing-countries', false],
    ['KE', 'developing-countries', true],
    ['CO', 'developing-countries', null],
    ['KE', 'africa-member-states', null],
    ['FR', 'africa-member-states', false],
  ] as const)('%s in %s: %s', (country, region, expected) => {
    expect(liesIn(country, region)).toBe(expected);
  });

  it('have every region inside Africa, whose parts make up the whole', () => {
    const africa = membersOf('africa');
    expect(africa).toHaveLength(54);
    for (const region of regions) {
      const members = membersOf(region);
      expect(members.filter((country) => !africa.includes(country))).toEqual([]);
      expect(new Set(members).size).toBe(members.length);
    }
    const parts = (
      ['north-africa', 'west-africa', 'central-africa', 'eastern-africa', 'southern-africa'] as const
    ).flatMap((region) => membersOf(region));
    expect(parts.toSorted()).toEqual(africa.toSorted());
  });
});
