import type { JsonObject } from '../../../common/json.js';
import type { CompaniesService } from '../../../companies/companies.service.js';
import type { SkillContext } from '../../skill.js';
import { CalculateCarbonFootprintSkill } from '../calculate-carbon-footprint.skill.js';
import { CalculateEsgScoreSkill } from '../calculate-esg-score.skill.js';
import { type CarbonFootprint, CarbonFootprintDetails } from '../carbon/footprint-details.js';
import { type EsgScore, EsgScoreDetails } from '../esg/esg-score.js';
import { type FinancingMatches, FinancingMatchesDetails } from '../financing/financing-matches.js';
import { FindGreenFinancingSkill } from '../find-green-financing.skill.js';
import { carbonReport } from './content/carbon-content.js';
import { esgReport } from './content/esg-content.js';
import { financingReport } from './content/financing-content.js';
import type { Dated, ReportCompany, ReportFrame } from './content/report-frame.js';
import type { Report } from './report.js';

/** Results as the skills give them, for tests of the reports that are made of them. */

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

export const sampleDate = new Date('2026-11-20T16:30:00Z');

/** The sample's language is that of whoever asks. */
const companies = {
  getOf: async ({ language }: SkillContext) => ({ ...sampleCompany, language }),
} as unknown as CompaniesService;

export const sampleContext = (more: Partial<SkillContext> = {}): SkillContext => ({
  companyId: 'c',
  memberId: 'm',
  role: 'MEMBER',
  conversationId: 'v',
  turnId: 't',
  documentIds: [],
  callId: '1',
  language: 'fr',
  assistantKey: 'mefali',
  signal: new AbortController().signal,
  progress: () => {},
  ...more,
});

const dated = <Details>(details: Details): Dated<Details> => ({ details, at: sampleDate });

/** Enough of each pillar for an overall score. */
const someAnswers: JsonObject = {
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

export const sampleEsg = async (
  language: string,
  answers: JsonObject = someAnswers,
): Promise<Dated<EsgScore>> => {
  const { details } = await new CalculateEsgScoreSkill(companies).run(answers, sampleContext({ language }));
  return dated(EsgScoreDetails.parse(details));
};

export const sampleFinancing = async (
  language: string,
  input: JsonObject = { country: 'SN' },
): Promise<Dated<FinancingMatches>> => {
  const { details } = await new FindGreenFinancingSkill(companies).run(input, sampleContext({ language }));
  return dated(FinancingMatchesDetails.parse(details));
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

export const sampleCarbon = async (
  language: string,
  quantities: JsonObject = someQuantities,
): Promise<Dated<CarbonFootprint>> => {
  const { details } = await new CalculateCarbonFootprintSkill(companies).run(
    quantities,
    sampleContext({ language }),
  );
  return dated(CarbonFootprintDetails.parse(details));
};

export const sampleReports = async (language: string, frame = sampleFrame): Promise<Report[]> => {
  const [esg, carbon, matches] = await Promise.all([
    sampleEsg(language),
    sampleCarbon(language),
    sampleFinancing(language),
  ]);
  return [
    esgReport(esg, frame),
    carbonReport(carbon, frame),
    financingReport({ matches, esg, carbon }, frame),
  ];
};
