import { Ajv2020 } from 'ajv/dist/2020.js';
import { strFromU8, unzipSync } from 'fflate';

import { type JsonObject, SkillError } from '@palabre/plugin';

import { ScriptedPlatform } from '../scripted-platform.double.js';
import { CalculateCarbonFootprintSkill } from '../carbon/calculate-carbon-footprint.skill.js';
import { CalculateEsgScoreSkill } from '../esg/calculate-esg-score.skill.js';
import { FindGreenFinancingSkill } from '../financing/find-green-financing.skill.js';
import { readPdf, sampleCompany, sampleContext, sampleEsg, someAnswers } from './fixtures.double.js';
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
    await expect(async () => run(input)).rejects.toBeInstanceOf(SkillError);
  }
});

/** The company's records after these calls. */
async function keep(language = 'fr'): Promise<void> {
  const context = sampleContext({ language });
  await new CalculateEsgScoreSkill(platform).run({ answers: { E02: 15, S02: true, G02: false } }, context);
  const items = [{ activity: 'diesel', quantity: 3500, unit: 'litre' }];
  await new CalculateCarbonFootprintSkill(platform).run({ period: '2025', items }, context);
  await new FindGreenFinancingSkill(platform).run({ country: 'SN' }, context);
}

describe('a report', () => {
  it('is stored in both formats, and named to the model without a link', async () => {
    await keep();
    const answer = await run({ kind: 'esg' });
    expect(answer).toEqual({
      title: 'Rapport ESG',
      summary: 'Le rapport « Rapport ESG » est prêt (Word et PDF).',
      files: [
        { name: 'Rapport ESG - Karité du Sahel SARL - 2026-11-22.docx' },
        { name: 'Rapport ESG - Karité du Sahel SARL - 2026-11-22.pdf', pages: expect.any(Number) },
      ],
    });
    expect(platform.stored.map(({ mediaType }) => mediaType.split('.').at(-1))).toEqual([
      'document',
      'application/pdf',
    ]);
    expect(said).toEqual([
      'Rassemblement des résultats du rapport',
      'Rédaction du document Word et de ses graphiques',
      'Mise en page du PDF et de ses graphiques',
      'Enregistrement du rapport',
    ]);
  });

  it.each([
    [-11, '2026-11-21', ['November 21, 2026', 'November 20, 2026']],
    [14, '2026-11-22', ['November 22, 2026', 'November 21, 2026']],
  ])('is of the day that it is there, and so are its results: %d h', async (offset, day, days) => {
    await keep('en');
    platform.offsetHours = offset;
    await run({ kind: 'esg', format: 'docx' }, 'en');
    const [{ name, content } = { name: '', content: new Uint8Array() }] = platform.stored;
    expect(name).toContain(` - ${day}.docx`);
    const text = strFromU8(unzipSync(content)['word/document.xml'] ?? new Uint8Array());
    expect([...days, 'Awa', 'version 1'].filter((each) => !text.includes(each))).toEqual([]);
  });

  it('has the wanted title and format only', async () => {
    await keep('zh-Hant');
    const answer = await run({ kind: 'carbon', title: 'Bilan\u202E 2025', format: 'pdf' }, 'zh-Hant');
    expect(answer).toMatchObject({ title: 'Bilan 2025', summary: '報告「Bilan 2025」已完成（PDF）。' });
    expect(platform.stored).toHaveLength(1);
  });

  it('is of the period that is asked for, or else of the latest', async () => {
    await keep();
    const items = [{ activity: 'petrol', quantity: 10, unit: 'litre' }];
    const other = sampleContext({ conversationId: 'another' });
    await new CalculateCarbonFootprintSkill(platform).run({ period: '2026', items }, other);
    const textOf = async (input: JsonObject): Promise<string> => {
      await run({ kind: 'carbon', format: 'pdf', ...input });
      return (
        await readPdf({ format: 'pdf', content: new Uint8Array(platform.stored.at(-1)!.content), pages: 1 })
      ).join(' ');
    };
    expect(await textOf({})).toContain('essence');
    expect(await textOf({ period: '2025' })).toContain('gazole');
    await expect(run({ kind: 'carbon', period: '2019' })).rejects.toBeInstanceOf(SkillError);
  });

  it('of a third of the answers has two pages', async () => {
    const third = Object.fromEntries(
      Object.entries(someAnswers.answers as JsonObject).filter((_, index) => index % 2 === 0),
    );
    const { indicators } = (await sampleEsg('fr', { answers: third })).details;
    expect(indicators.filter(({ status }) => status === 'answered').length / indicators.length).toBeCloseTo(
      1 / 3,
      1,
    );
    await new CalculateEsgScoreSkill(platform).run({ answers: third }, sampleContext());
    const { files } = await run({ kind: 'esg', format: 'pdf' });
    expect(files[0]?.pages).toBeLessThanOrEqual(2);
  });
});

it.each([
  ['esg', 'calculate_esg_score', 'fr', 'Il n’y a encore rien à mettre dans le rapport'],
  ['carbon', 'calculate_carbon_footprint', 'en', 'There is nothing to report yet'],
  ['financing', 'find_green_financing', 'es', 'Aún no hay nada que poner en el informe'],
])('of %s asks for %s first, in %s', async (kind, skill, language, words) => {
  const refused = run({ kind }, language);
  await expect(refused).rejects.toThrow(words);
  await expect(refused).rejects.toThrow(skill);
  expect(platform.stored).toEqual([]);
});

it('stores nothing for a turn that is over', async () => {
  await keep();
  const reason = new Error('cancelled');
  await expect(run({ kind: 'esg' }, 'fr', AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(platform.stored).toEqual([]);
});
