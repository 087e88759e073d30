import { Readable } from 'node:stream';

import type { JsonObject, Platform, Skill, SkillAnswer, SkillContext } from '@palabre/plugin';
import type { z } from 'zod';

import { CalculateCarbonFootprintSkill } from '../carbon/calculate-carbon-footprint.skill.js';
import { CalculateEsgScoreSkill } from '../esg/calculate-esg-score.skill.js';
import { CarbonFootprintDetails } from '../carbon/footprint-details.js';
import { EsgScoreDetails } from '../esg/esg-score.js';
import { FinancingMatchesDetails } from '../financing/financing-matches.js';
import { FindGreenFinancingSkill } from '../financing/find-green-financing.skill.js';
import { carbonReport } from './content/carbon-content.js';
import { esgReport } from './content/esg-content.js';
import { financingReport } from './content/financing-content.js';
import type { Dated, ReportCompany, ReportFrame } from './content/report-frame.js';
import type { Block, RenderedReport, Report } from './report.js';
import { ScriptedPlatform } from '../scripted-platform.double.js';

/** Results of the skills, for tests of reports. */

export const reportLanguages = ['fr', 'en', 'es', 'zh-Hant'] as const;

export const sampleCompany: ReportCompany = {
  name: 'Karité du Sahel SARL',
  sector: 'Transformation agroalimentaire',
  country: 'SN',
  city: 'Thiès',
  headcount: 48,
  revenueAmount: 412_500_000,
  revenueCurrency: 'XOF',
  environmentalPractices: ['Séchage solaire des noix', 'Compostage des coques'],
  declaredGoals: ['Réduire de moitié l’achat de gazole d’ici 2028'],
  attributes: { 'Année de création': 2014, certifications: 'Agriculture biologique' },
};

export const sampleFrame: ReportFrame = {
  company: sampleCompany,
  title: null,
  createdAt: new Date('2026-11-22T09:00:00Z'),
  day: new Date('2026-11-22T09:00:00Z'),
};

const sampleDate = new Date('2026-11-20T16:30:00Z');

export function sampleContext(more: Partial<SkillContext> = {}): SkillContext {
  return {
    companyId: 'c',
    memberId: 'm',
    role: 'MEMBER',
    conversationId: 'v',
    turnId: 't',
    questionId: 'q',
    documentIds: [],
    callId: '1',
    language: 'fr',
    assistantKey: 'mefali',
    signal: new AbortController().signal,
    progress: () => {},
    ...more,
  };
}

/** Enough of each pillar for an overall score. */
export const someAnswers: JsonObject = {
  answers: {
    E01: 3,
    E02: 15,
    E03: 0,
    E04: 2,
    E05: 1,
    E06: 1,
    E07: 2,
    E11: 1,
    S01: 80,
    S02: true,
    S03: 1,
    S04: 0,
    S05: 50,
    S08: 35,
    S10: 2,
    S11: 3,
    G01: 1,
    G02: false,
    G03: 0,
    G04: false,
    G06: 3,
    G07: 3,
    G10: true,
  },
  notApplicable: ['E09'],
};

/** A grid, fuels, a flight, and one thing that no source has a factor for. */
const someQuantities: JsonObject = {
  country: 'SN',
  period: '2025',
  upstream: true,
  items: [
    { activity: 'electricity', quantity: 12_000, unit: 'kWh' },
    { activity: 'diesel', quantity: 3500, unit: 'litre' },
    { activity: 'taxi', quantity: 820, unit: 'passenger_km' },
    { activity: 'charcoal', quantity: 2.5, unit: 'tonne' },
  ],
};

/** The answer of a skill for a company with the language of the question. */
function sampler<Details>(
  Calculates: new (platform: Platform) => Skill,
  schema: z.ZodType<Details>,
  usual: JsonObject,
) {
  return async (language: string, input = usual): Promise<Dated<Details>> => {
    const skill = new Calculates(new ScriptedPlatform(sampleCompany));
    const { details } = (await skill.run(input, sampleContext({ language }))) as SkillAnswer;
    return { details: schema.parse(details), at: sampleDate, version: 2, memberName: 'Awa Ndiaye' };
  };
}

export const sampleEsg = sampler(CalculateEsgScoreSkill, EsgScoreDetails, someAnswers);
export const sampleFinancing = sampler(FindGreenFinancingSkill, FinancingMatchesDetails, { country: 'SN' });
export const sampleCarbon = sampler(CalculateCarbonFootprintSkill, CarbonFootprintDetails, someQuantities);

export async function sampleReports(language: string, frame = sampleFrame): Promise<Report[]> {
  const [esg, carbon, matches] = await Promise.all([
    sampleEsg(language),
    sampleCarbon(language),
    sampleFinancing(language),
  ]);
  return [esgReport(esg, frame), carbonReport(carbon, frame), financingReport(matches, frame)];
}

/** A report with only these blocks. */
export function reportOf(blocks: readonly Block[], more: Partial<Report> = {}): Report {
  return {
    language: 'fr',
    title: 'Titre',
    subtitle: '',
    company: 'Karité',
    date: '22 novembre 2026',
    day: sampleFrame.day,
    createdAt: sampleFrame.createdAt,
    pageLabel: 'Page {page} sur {pages}',
    facts: [],
    blocks,
    ...more,
  };
}

const limits = { timeoutMs: 60_000, memoryMegabytes: 512 };

/** The text of a Word document as Markdown, read like an upload. */
export async function readWord({ content }: RenderedReport): Promise<string> {
  const { readDocument } = await import('@palabre/reader');
  const pages = readDocument(
    Readable.from([Buffer.from(content)]),
    { name: 'report.docx' },
    { limits, logger: { warn: () => undefined }, signal: new AbortController().signal },
  );
  return (await Array.fromAsync(pages, ({ markdown }) => markdown)).join('\n');
}

/** The text of a PDF's pages. */
export async function readPdf({ content }: RenderedReport): Promise<string[]> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const document = await getDocument({ data: new Uint8Array(content), verbosity: 0 }).promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join(' '));
  }
  await document.loadingTask.destroy();
  return pages;
}

/** Ignores line breaks of pages and Markdown marks. */
export function squeezed(text: string): string {
  return text.replaceAll(/[\s\\]/g, '');
}
