/** What a report is about. */
export const reportKinds = ['esg', 'carbon', 'financing'] as const;
export type ReportKind = (typeof reportKinds)[number];

export type ReportLanguage = 'en' | 'fr' | 'es' | 'zh-Hant';

/** How far a report is, for people. */
export type ReportStage = 'collecting' | 'docx' | 'pdf' | 'storing';

/** All that a report says in one language, beside what the results say themselves. */
export interface ReportWording {
  language: ReportLanguage;
  kinds: Readonly<Record<ReportKind, string>>;
  /** Without a date; the extension follows. */
  fileNames: Readonly<Record<ReportKind, string>>;
  stages: Readonly<Record<ReportStage, string>>;
  /** `formats`, such as “PDF and Word”, are said by `formatList`. */
  done(title: string, formats: string): string;
  formatNames: Readonly<Record<'docx' | 'pdf', string>>;
  pageLabel: string;
  notStated: string;
  /** The date that a result is of. */
  calculatedOn: string;
  dataVersion: string;
  summary: string;
  sources: string;
  notes: string;
  noteOnResults: string;
  colon: string;
  company: CompanyWording;
  esg: EsgWording;
  carbon: CarbonWording;
  financing: FinancingWording;
}

export interface CompanyWording {
  heading: string;
  name: string;
  sector: string;
  country: string;
  city: string;
  headcount: string;
  revenue: string;
  practices: string;
  goals: string;
  further: string;
}

export interface EsgWording {
  heading: string;
  score: string;
  grade: string;
  coverage: string;
  /** What coverage is. */
  coverageDetail: string;
  noScore: string;
  noScoreText(minimum: string, coverage: string): string;
  sector: string;
  byPillar: string;
  byTopic: string;
  chartPillars: string;
  chartTopics: string;
  pillar: string;
  topic: string;
  weight: string;
  strengths: string;
  weaknesses: string;
  potential: string;
  nextAction: string;
  nextQuestions: string;
  question: string;
  expected: string;
  indicators: string;
  indicator: string;
  answer: string;
  codes: string;
  missing: string;
  notApplicable: string;
  /** What the Sustainable Development Goals are called for short. */
  sdg: string;
  frameworks: string;
}

export interface CarbonWording {
  heading: string;
  total: string;
  period: string;
  country: string;
  byScope: string;
  byCategory: string;
  chartScopes: string;
  chartCategories: string;
  scope: string;
  category: string;
  emissions: string;
  share: string;
  lines: string;
  activity: string;
  quantity: string;
  factor: string;
  origin: string;
  totalRow: string;
  biogenic: string;
  /** Says that it is not in the total. */
  outsideKyoto: string;
  approximations: string;
  refused: string;
  reason: string;
  notCounted: string;
  /** In the place of an amount that nobody gave anything for. */
  nothingCounted: string;
  canBeCounted: string;
  cannotBeCounted: string;
  whatIsMissing: string;
  method: string;
  methodText(potentials: string, version: string): string;
}

export interface FinancingWording {
  heading: string;
  candidate: string;
  project: string;
  lookedFor: string;
  region: string;
  need: string;
  amount: string;
  instrument: string;
  notAsked: string;
  fitting: string;
  fittingCount: string;
  near: string;
  nearCount: string;
  others: string;
  nothingFits: string;
  widen: string;
  programme: string;
  provider: string;
  instruments: string;
  purposes: string;
  access: string;
  applicants: string;
  status: string;
  year: string;
  /** Over a narrow column. */
  yearShort: string;
  confidence: string;
  criterion: string;
  verdict: string;
  verdicts: Readonly<Record<'fits' | 'does_not_fit' | 'not_known', string>>;
  inTheWay: string;
  toConfirm: string;
  ranking: string;
  esgPart: string;
  carbonPart: string;
}
