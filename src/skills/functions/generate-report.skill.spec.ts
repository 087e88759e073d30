import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { strFromU8, unzipSync } from 'fflate';

import { Calendar } from '../../common/calendar.js';
import type { Clock } from '../../common/clock.js';
import type { JsonObject, JsonValue } from '../../common/json.js';
import type { CompaniesService } from '../../companies/companies.service.js';
import type { NewStoredFile, StoredFilesService } from '../../files/stored-files.service.js';
import type { EarlierResults, ResultOwner } from '../../turns/skill-calls/earlier-results.service.js';
import { SkillError } from '../skill.js';
import { GenerateReportSkill } from './generate-report.skill.js';
import {
  sampleCarbon,
  sampleCompany,
  sampleContext,
  sampleDate,
  sampleEsg,
  sampleFinancing,
  sampleFrame,
} from './report/fixtures.js';
import { ReportRenderer } from './report/report-renderer.js';

const expiresAt = new Date('2026-11-22T09:15:00Z');

let renderer: ReportRenderer;
let results: Record<string, JsonValue>;
let owners: ResultOwner[];
let stored: NewStoredFile[];
let said: string[];
/** The ids of files. */
let removed: string[];
/** For so many files. */
let room: number;
beforeEach(() => {
  renderer = new ReportRenderer();
  [results, owners, stored, said, removed, room] = [{}, [], [], [], [], 10];
});
afterEach(() => renderer.onApplicationShutdown());

const earlier = {
  findLatest: async (owner: ResultOwner, skill: string) => {
    owners.push(owner);
    const details = results[skill];
    return details === undefined ? null : { details, at: sampleDate };
  },
} as unknown as EarlierResults;
const files = {
  create: async (companyId: string, memberId: string, file: NewStoredFile) => {
    if (stored.length === room) throw new Error('There is no room.');
    stored.push(file);
    const { name, content } = file;
    return { companyId, memberId, id: String(stored.length), name, bytes: content.byteLength };
  },
  remove: async (_owner: object, id: string) => void removed.push(id),
  linkTo: ({ id }: { id: string }) => ({ url: `https://palabre.example/files/${id}`, expiresAt }),
} as unknown as StoredFilesService;
const companies = { getOf: async () => sampleCompany } as unknown as CompaniesService;

const clock = { now: () => sampleFrame.createdAt } as Clock;

const skillOf = (timeZone = 'UTC'): GenerateReportSkill =>
  new GenerateReportSkill(companies, earlier, renderer, files, clock, new Calendar(timeZone));

const run = async (input: JsonObject, language = 'fr', signal = new AbortController().signal) =>
  (await skillOf().run(input, sampleContext({ language, signal, progress: (line) => said.push(line) }))) as {
    summary: string;
    title: string;
    files: JsonObject[];
  };

it('takes arguments that fit its parameters, and no others', async () => {
  const validate = new Ajv2020({ strict: true }).compile(skillOf().parameters);
  expect(validate({ kind: 'esg' })).toBe(true);
  expect(validate({ kind: 'carbon', title: 'Bilan 2025', format: 'both' })).toBe(true);
  const wrong: JsonObject[] = [
    {},
    { kind: 'tax' },
    { kind: 'esg', format: 'odt' },
    { kind: 'esg', title: '' },
    { kind: 'esg', x: 1 },
  ];
  for (const input of wrong) {
    expect(validate(input)).toBe(false);
    await expect(run(input)).rejects.toBeInstanceOf(SkillError);
  }
});

describe('a report', () => {
  it('of which only a half can be stored is not stored', async () => {
    results = { calculate_esg_score: (await sampleEsg('fr')).details };
    room = 1;
    await expect(run({ kind: 'esg' })).rejects.toThrow('There is no room.');
    expect(removed).toEqual(['1']);
  });

  it('is stored in both formats, and told with links', async () => {
    results = { calculate_esg_score: (await sampleEsg('fr')).details };
    const answer = await run({ kind: 'esg' });
    expect(answer).toMatchObject({
      title: 'Rapport ESG',
      summary: 'Le rapport « Rapport ESG » est prêt (Word et PDF).',
      files: [
        { format: 'docx', url: 'https://palabre.example/files/1', expiresAt: expiresAt.toISOString() },
        { format: 'pdf', url: 'https://palabre.example/files/2', pages: expect.any(Number) },
      ],
    });
    expect(answer.files[0]).not.toHaveProperty('pages');
    expect(stored.map(({ mediaType, turnId, kind }) => [mediaType.split('.').at(-1), turnId, kind])).toEqual([
      ['document', 't', 'REPORT'],
      ['application/pdf', 't', 'REPORT'],
    ]);
    expect(stored[1]?.name).toMatch(/^Rapport ESG - Karité du Sahel SARL - 2026-11-22\.pdf$/);
    expect(stored.map(({ content }) => content.byteLength)).toEqual(answer.files.map(({ bytes }) => bytes));
    expect(said).toEqual([
      'Rassemblement des résultats du rapport',
      'Rédaction du document Word et de ses graphiques',
      'Mise en page du PDF et de ses graphiques',
      'Enregistrement du rapport',
    ]);
    expect(owners[0]).toMatchObject({ companyId: 'c', memberId: 'm', conversationId: 'v' });
    expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
  });

  it.each([
    ['Pacific/Pago_Pago', '2026-11-21', ['November 21, 2026', 'November 20, 2026']],
    ['Pacific/Kiritimati', '2026-11-22', ['November 22, 2026', 'November 21, 2026']],
  ])('is of the day that it is in %s, and so are its results', async (timeZone, day, days) => {
    results = { calculate_esg_score: (await sampleEsg('en')).details };
    await skillOf(timeZone).run({ kind: 'esg', format: 'docx' }, sampleContext({ language: 'en' }));
    const [{ name, content } = { name: '', content: new Uint8Array() }] = stored;
    expect(name).toContain(` - ${day}.docx`);
    const text = strFromU8(unzipSync(content)['word/document.xml'] ?? new Uint8Array());
    expect(days.filter((each) => !text.includes(each))).toEqual([]);
  });

  it('has the wanted title and format only', async () => {
    results = { calculate_carbon_footprint: (await sampleCarbon('zh-Hant')).details };
    const answer = await run({ kind: 'carbon', title: 'Bilan\u202E 2025', format: 'pdf' }, 'zh-Hant');
    expect(answer).toMatchObject({ title: 'Bilan 2025', summary: '報告「Bilan 2025」已完成（PDF）。' });
    expect(stored).toHaveLength(1);
  });

  it('of financing takes what else was calculated, and does without', async () => {
    results = { find_green_financing: (await sampleFinancing('en')).details };
    const alone = await run({ kind: 'financing', format: 'pdf' }, 'en');
    results.calculate_esg_score = (await sampleEsg('en')).details;
    results.calculate_carbon_footprint = { kind: 'carbon_footprint', of: 'an earlier version' };
    const both = await run({ kind: 'financing', format: 'pdf' }, 'en');
    expect(Number(both.files[0]?.pages)).toBeGreaterThan(Number(alone.files[0]?.pages));
  });
});

it.each([
  ['esg', 'calculate_esg_score'],
  ['carbon', 'calculate_carbon_footprint'],
  ['financing', 'find_green_financing'],
])('of %s asks for %s first', async (kind, skill) => {
  await expect(run({ kind })).rejects.toThrow(
    new SkillError(`There is nothing to report yet: call ${skill} first, then ask for the report again.`),
  );
  results = { [skill]: { of: 'an earlier version' } };
  await expect(run({ kind })).rejects.toBeInstanceOf(SkillError);
  expect(stored).toEqual([]);
});

it('stores nothing for a turn that is over', async () => {
  results = { calculate_esg_score: (await sampleEsg('fr')).details };
  const reason = new Error('cancelled');
  await expect(run({ kind: 'esg' }, 'fr', AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(stored).toEqual([]);
});
