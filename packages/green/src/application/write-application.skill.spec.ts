import { type JsonObject, SkillError } from '@palabre/plugin';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { CalculateCarbonFootprintSkill } from '../carbon/calculate-carbon-footprint.skill.js';
import {
  readPdf,
  readWord,
  reportLanguages,
  sampleCompany,
  sampleContext,
  squeezed,
} from '../report/fixtures.double.js';
import { ScriptedPlatform } from '../scripted-platform.double.js';
import { WriteApplicationSkill } from './write-application.skill.js';

let platform: ScriptedPlatform;
beforeEach(async () => {
  platform = new ScriptedPlatform(sampleCompany);
  const items = [
    { activity: 'electricity', quantity: 12_000, unit: 'kWh' },
    { activity: 'diesel', quantity: 3_500, unit: 'litre' },
  ];
  await new CalculateCarbonFootprintSkill(platform).run({ period: '2025', items }, sampleContext());
});

interface Told {
  summary: string;
  missing?: string[];
  files?: { name: string }[];
  effects?: JsonObject;
}

async function say(input: JsonObject, language = 'fr', conversationId = 'v'): Promise<Told> {
  const skill = new WriteApplicationSkill(platform);
  expect(new Ajv2020({ strict: true, allowUnionTypes: true }).compile(skill.parameters)(input)).toBe(true);
  return (await skill.run(input, sampleContext({ language, conversationId }))) as unknown as Told;
}

const project: JsonObject = {
  programme: 'SUNREF Afrique de l’Ouest',
  title: 'Séchoir solaire de Thiès',
  description: 'Remplacer le séchage au gazole par un séchoir solaire hybride.',
};
const money: JsonObject = {
  currency: 'XOF',
  budget: [
    { item: 'Capteurs', amount: 18_000_000 },
    { item: 'Installation', amount: 6_000_000 },
  ],
  plan: [
    { source: 'Prêt vert', amount: 16_000_000, isRequested: true },
    { source: 'Apport', amount: 8_000_000 },
  ],
};
const rest: JsonObject = {
  schedule: [{ step: 'Commande', when: 'mars 2027' }],
  after: [{ activity: 'gazole', quantity: 900, unit: 'litre' }],
};

it('asks for what is missing, keeps what was said, and is written once all is there', async () => {
  const first = await say(project);
  expect(first.missing).toEqual([
    'Quels sont les postes de dépense, avec leur montant et la monnaie ?',
    'Qui paie quoi : quelles sources, pour quels montants, et laquelle est demandée au dispositif ?',
    'Quelles sont les étapes, et quand ?',
    'Que deviennent les quantités (électricité, carburant…) après le projet ?',
  ]);
  expect(platform.stored).toEqual([]);
  await say(money, 'fr', 'another');
  const last = await say(rest, 'fr', 'a third');
  expect(last.missing).toBeUndefined();
  expect(last.files?.map(({ name }) => name)).toEqual([
    'Dossier de candidature - Karité du Sahel SARL - 2026-11-22.docx',
    'Dossier de candidature - Karité du Sahel SARL - 2026-11-22.pdf',
  ]);
  // 3,500 − 900 litres × 2.66155
  expect(last.effects).toEqual({ now: '15,74 tCO2e', after: '8,82 tCO2e', saving: '6,92 tCO2e' });
});

it('has the project, the money, the effects, the schedule, the programme’s conditions and the annexes', async () => {
  await say({ ...project, ...money, ...rest, annexes: ['Devis du fournisseur'], format: 'both' });
  const [docx, pdf] = platform.stored.map(({ content }) => new Uint8Array(content));
  const texts = [
    await readWord({ format: 'docx', content: docx!, pages: null }),
    (await readPdf({ format: 'pdf', content: pdf!, pages: 1 })).join(' '),
  ].map(squeezed);
  const expected = [
    'Séchoir solaire de Thiès',
    'Karité du Sahel SARL',
    '18 000 000 XOF',
    '24 000 000 XOF',
    'Prêt vert (demandé)',
    'Différence',
    '−6,92 tCO2e',
    'mars 2027',
    'Conditions du dispositif',
    'banque partenaire',
    'Devis du fournisseur',
    'Registre du commerce',
  ];
  for (const text of texts)
    expect(expected.filter((part) => !text.includes(squeezed(part).replaceAll(' ', '')))).toEqual([]);
});

it.each(reportLanguages)('may be a draft, which says what it lacks, in %s', async (language) => {
  const told = await say({ ...project, write: true, format: 'docx' }, language);
  expect(told.files).toHaveLength(1);
  expect(told.missing?.length).toBeGreaterThan(2);
  const text = squeezed(
    await readWord({ format: 'docx', content: new Uint8Array(platform.stored[0]!.content), pages: null }),
  );
  for (const question of told.missing ?? []) expect(text).toContain(squeezed(question));
  expect(text).not.toMatch(/undefined|NaN|\[object/);
});

it('does not take figures that nobody has calculated', async () => {
  const made = say({
    ...project,
    ...rest,
    effects: 'Le projet évite 20 tCO2e par an et 6,92 tCO2e de gazole.',
  });
  await expect(made).rejects.toBeInstanceOf(SkillError);
  await expect(made).rejects.toThrow(/: 20 tCO2\. .*15,74 tCO2e/s);
  expect(platform.stored).toEqual([]);
  expect(await say({ ...project, ...rest, effects: 'Le projet évite 6,92 tCO2e par an.' })).toHaveProperty(
    'summary',
  );
});

it('asks which is wrong where the budget is not what the plan pays', async () => {
  const told = await say({
    ...project,
    ...money,
    ...rest,
    plan: [{ source: 'Prêt', amount: 10_000_000, isRequested: true }],
  });
  expect(told.missing?.map((question) => question.replaceAll(/[\u00a0\u202f]/g, ' '))).toEqual([
    'Le budget fait 24 000 000 et le plan de financement 10 000 000 : lequel est à corriger ?',
  ]);
});

it('names the programmes that are like one that there is not', async () => {
  await expect(say({ programme: 'SUNREV' }, 'en')).rejects.toThrow(
    /No programme is called “SUNREV”\. Nearest: .*SUNREF/,
  );
});

it('asks for a footprint where there is none, and for what is not known of the company', async () => {
  platform = new ScriptedPlatform({ name: 'Neuve' });
  const { missing } = await say({ ...project, ...money, ...rest, after: [] }, 'en');
  expect(missing).toEqual([
    expect.stringContaining('The company has no footprint yet'),
    'What is the company’s sector?',
    'Which country is the company in?',
    'How many people work there?',
    'What is its yearly revenue?',
  ]);
});
