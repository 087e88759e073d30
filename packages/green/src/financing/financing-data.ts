import { z } from 'zod';

import file from '../../data/financing/green-financing.json' with { type: 'json' };
import words from '../../data/financing/words.json' with { type: 'json' };
import { wordingOf } from '../wording.js';
import { anyRegions, membersOf } from './places.js';

/** The programmes in the form that the matching needs, checked once at load. */

const { financing: en } = wordingOf('en');

/** A code is a key of the English names. */
function codesOf<Names extends object>(names: Names): (keyof Names & string)[] {
  return Object.keys(names) as (keyof Names & string)[];
}

export const instruments = codesOf(en.instruments);
/** What a programme pays for. */
export const purposes = codesOf(en.purposes);
/** Sectors that people name and programmes do not. */
export const otherSectors = codesOf(words.otherSectors);
/** The one sector that is defined by what it excludes. */
export const allButRealEstate = 'all-except-real-estate-and-offshore-fishing';
export const sectors = codesOf(words.sectors);
export const accesses = codesOf(en.accesses);
export const statuses = codesOf(en.statuses);
export const bases = codesOf(en.bases);

const country = z.enum(membersOf('africa'), 'This is no African country.');
const amount = z.number().positive().nullable();

const Programme = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  name: z.string().min(1),
  provider: z.string().min(1),
  instruments: z.array(z.enum(instruments)).min(1),
  themes: z.array(z.enum(purposes)).min(1),
  eligibleCountries: z.array(country),
  eligibleRegions: z.array(z.enum(anyRegions, 'This region is not known here.')),
  /** Countries in addition to the regions. */
  furtherCountries: z.array(country).default([]),
  eligibleSectors: z.array(z.enum([...sectors, allButRealEstate])),
  ticketMin: amount,
  ticketMax: amount,
  currency: z.string().nullable(),
  ticketNoteFr: z.string().nullable(),
  ticketNoteEn: z.string().nullable(),
  ticketBasis: z.enum(bases).nullable(),
  applicantTypes: z.array(z.enum(codesOf(en.applicants))).min(1),
  smeAccess: z.enum(accesses),
  summaryFr: z.string().min(1),
  summaryEn: z.string().min(1),
  sources: z
    .array(
      z.strictObject({
        publisher: z.string(),
        url: z.url({ protocol: /^https?$/ }),
        year: z.int().nullable(),
        type: z.enum(codesOf(en.sourceTypes)),
      }),
    )
    .min(1),
  asOfYear: z.int().nullable(),
  status: z.enum(statuses),
  confidence: z.enum(codesOf(en.confidences)),
});

const ProgrammeFile = z.object({
  schemaVersion: z.string(),
  compiledAt: z.iso.date(),
  programmes: z.array(Programme).min(1),
});

export type Programme = z.output<typeof Programme>;
export type AnySector = Sector | (typeof otherSectors)[number];
export type Instrument = (typeof instruments)[number];
export type Purpose = (typeof purposes)[number];
export type Sector = (typeof sectors)[number];

export interface FinancingData {
  version: string;
  programmes: readonly Programme[];
}

/** Checks that the schema cannot express. */
function checkProgramme({ id, ticketMin, ticketMax, currency, ...programme }: Programme): void {
  const says = (problem: string) => new Error(`The programme ${id} ${problem}.`);
  const stated = ticketMin !== null || ticketMax !== null;
  if (stated && (!currency || !programme.ticketBasis)) throw says('has an amount of no currency or basis');
  if (!stated && programme.ticketBasis) throw says('has the basis of an amount and no amount');
  if (ticketMin !== null && ticketMax !== null && ticketMin > ticketMax)
    throw says('has its amounts reversed');
  if (programme.eligibleCountries.length + programme.eligibleRegions.length === 0) throw says('has no place');
}

/** Checks the file. Throws an Error that names the mismatch. */
export function readFinancingData(json: unknown): FinancingData {
  const parsed = ProgrammeFile.safeParse(json);
  if (!parsed.success) throw new Error(`The financing data is not usable:\n${z.prettifyError(parsed.error)}`);
  const { programmes, schemaVersion, compiledAt } = parsed.data;
  if (new Set(programmes.map(({ id }) => id)).size !== programmes.length)
    throw new Error('A programme is there twice in the financing data.');
  for (const programme of programmes) checkProgramme(programme);
  return { version: `${schemaVersion}+${compiledAt}`, programmes };
}

export function loadFinancingData(): FinancingData {
  return readFinancingData(file);
}
