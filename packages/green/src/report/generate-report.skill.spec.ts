import { Ajv2020 } from 'ajv/dist/2020.js';
import { strFromU8, unzipSync } from 'fflate';

import { type JsonObject, SkillError } from '@palabre/plugin';

import { ScriptedPlatform } from '../scripted-platform.double.js';
import { sampleCarbon, sampleCompany, sampleContext, sampleEsg, sampleFinancing } from './fixtures.double.js';
import { GenerateReportSkill } from './generate-report.skill.js';

let platform: ScriptedPlatform;
let said: string[];
beforeEach(() => {
  platform = new ScriptedPlatform(sampleCompany);
  said = [];
});

async function run(input: JsonObject, language = 'fr', signal = new AbortController().signal) {
  return (await new GenerateReportSkill(platform).run(
    input,
    sampleContext({ language, signal, progress: (line) => said.push(line) }),
  )) as { summary: string; title: string; files: JsonObject[] };
}

it('takes arguments that fit its parameters, and no others', async () => {
  const validate = new Ajv2020({ strict: true }).compile(new GenerateReportSkill(platform).parameters);
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
  it('is stored in both formats, and told with links', async () => {
    platform.details.calculate_esg_score = (await sampleEsg('fr')).details;
    const answer = await run({ kind: 'esg' });
    expect(answer).toMatchObject({
      title: 'Rapport ESG',
      summary: 'Le rapport « Rapport ESG » est prêt (Word et PDF).',
      files: [
        { format: 'docx', url: 'https://palabre.example/files/1', expiresAt: '2026-11-22T09:15:00.000Z' },
        { format: 'pdf', url: 'https://palabre.example/files/2', pages: expect.any(Number) },
      ],
    });
    expect(answer.files[0]).not.toHaveProperty('pages');
    expect(platform.stored.map(({ mediaType }) => mediaType.split('.').at(-1))).toEqual([
      'document',
      'application/pdf',
    ]);
    expect(platform.stored[1]?.name).toMatch(/^Rapport ESG - Karité du Sahel SARL - 2026-11-22\.pdf$/);
    expect(platform.stored.map(({ content }) => content.byteLength)).toEqual(
      answer.files.map(({ bytes }) => bytes),
    );
    expect(said).toEqual([
      'Rassemblement des résultats du rapport',
      'Rédaction du document Word et de ses graphiques',
      'Mise en page du PDF et de ses graphiques',
      'Enregistrement du rapport',
    ]);
    expect(platform.asked.at(-1)).toMatchObject({ companyId: 'c', memberId: 'm', conversationId: 'v' });
    expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
  });

  it.each([
    [-11, '2026-11-21', ['November 21, 2026', 'November 20, 2026']],
    [14, '2026-11-22', ['November 22, 2026', 'November 21, 2026']],
  ])('is of the day that it is there, and so are its results: %d h', async (offset, day, days) => {
    platform.details.calculate_esg_score = (await sampleEsg('en')).details;
    platform.offsetHours = offset;
    await run({ kind: 'esg', format: 'docx' }, 'en');
    const [{ name, content } = { name: '', content: new Uint8Array() }] = platform.stored;
    expect(name).toContain(` - ${day}.docx`);
    const text = strFromU8(unzipSync(content)['word/document.xml'] ?? new Uint8Array());
    expect(days.filter((each) => !text.includes(each))).toEqual([]);
  });

  it('has the wanted title and format only', async () => {
    platform.details.calculate_carbon_footprint = (await sampleCarbon('zh-Hant')).details;
    const answer = await run({ kind: 'carbon', title: 'Bilan\u202E 2025', format: 'pdf' }, 'zh-Hant');
    expect(answer).toMatchObject({ title: 'Bilan 2025', summary: '報告「Bilan 2025」已完成（PDF）。' });
    expect(platform.stored).toHaveLength(1);
  });

  it('of financing takes what else was calculated, and does without', async () => {
    platform.details.find_green_financing = (await sampleFinancing('en')).details;
    const alone = await run({ kind: 'financing', format: 'pdf' }, 'en');
    platform.details.calculate_esg_score = (await sampleEsg('en')).details;
    platform.details.calculate_carbon_footprint = { kind: 'carbon_footprint', of: 'an earlier version' };
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
  platform.details[skill] = { of: 'an earlier version' };
  await expect(run({ kind })).rejects.toBeInstanceOf(SkillError);
  expect(platform.stored).toEqual([]);
});

it('stores nothing for a turn that is over', async () => {
  platform.details.calculate_esg_score = (await sampleEsg('fr')).details;
  const reason = new Error('cancelled');
  await expect(run({ kind: 'esg' }, 'fr', AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(platform.stored).toEqual([]);
});
