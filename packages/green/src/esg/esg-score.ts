import { z } from 'zod';

import { PublishedSource, ResultKind } from '../kept-result.js';

/**
 * An ESG self-assessment in full, as stored in `SkillCall.details`. Ids and codes are the same in every language,
 * texts are in `language`. Fields are only ever added.
 */

/** 0 to 100, with one decimal. Null: nothing is answered. */
const PartialScore = z.number().min(0).max(100).nullable();
/** 0 to 1. */
const Share = z.number().min(0).max(1);
export const Pillar = z.enum(['E', 'S', 'G']);

const scored = {
  score: PartialScore,
  /** The answered share of its weight. */
  coverage: Share,
};

export const Codes = z.object({
  /** Disclosures of EFRAG's voluntary standard for SMEs (VSME). */
  vsme: z.array(z.object({ code: z.string(), paragraph: z.string() })),
  gri: z.array(z.string()),
  /** IFC Performance Standards. */
  ifc: z.array(z.string()),
  /** Core subjects and issues of ISO 26000. */
  iso26000: z.array(z.string()),
  /** Sustainable Development Goals. */
  sdg: z.array(z.int()),
});

type Codes = z.output<typeof Codes>;

const IndicatorResult = z.object({
  id: z.string(),
  pillar: Pillar,
  /** Id of one of the pillar's topics. */
  topic: z.string(),
  title: z.string(),
  question: z.string(),
  status: z.enum(['answered', 'missing', 'not_applicable']),
  /** A level from 0 on, an amount in `unit`, or yes and no. Null: not answered. */
  answer: z.union([z.number(), z.boolean()]).nullable(),
  answerText: z.string().nullable(),
  unit: z.enum(['percent', 'deaths', 'hours_per_employee_year']).nullable(),
  /** Null: not answered. */
  score: PartialScore,
  /** Its share of the overall score with the sector's weights. 0: does not apply to the company. */
  weight: Share,
  codes: Codes,
  /** Ids of `sources` that the codes are from. */
  sources: z.array(z.string()),
});

/** Reads a stored assessment, from which a report is written. */
export const EsgScoreDetails = z.object({
  kind: z.literal('esg_score'),
  dataVersion: z.string(),
  language: z.enum(['en', 'fr', 'es', 'zh-Hant']),
  /** One sentence. */
  summary: z.string(),
  sector: z.object({
    /** Null: no sector's weights are applied. */
    id: z.string().nullable(),
    title: z.string().nullable(),
    /** Who named it: the call, or the company's profile. */
    basis: z.enum(['given', 'profile', 'none']),
  }),
  /** Null below the minimum coverage. */
  score: PartialScore,
  /** A to E; null when there is no score. */
  grade: z.string().nullable(),
  coverage: Share,
  /** The coverage that each pillar needs for an overall score. */
  minimumCoverage: Share,
  /** `weight`: its share of the overall score. */
  pillars: z.array(z.object({ id: Pillar, title: z.string(), weight: Share, ...scored })),
  /** In the order of the pillars. A topic of two pillars is in both, each with its own part. */
  topics: z.array(z.object({ pillar: Pillar, id: z.string(), title: z.string(), weight: Share, ...scored })),
  indicators: z.array(IndicatorResult),
  /** Indicators of at least 75, the highest contributions first. */
  strengths: z.array(z.object({ indicator: z.string() })),
  /** Indicators under 50, the highest potential first. */
  weaknesses: z.array(
    z.object({
      indicator: z.string(),
      /** Points that a full answer would add to the overall score. */
      potential: z.number().min(0).max(100),
      nextAction: z.string(),
    }),
  ),
  /** Unanswered indicators, the heaviest first. */
  nextQuestions: z.array(z.object({ indicator: z.string(), question: z.string(), expected: z.string() })),
  notes: z.array(z.object({ code: z.string(), text: z.string() })),
  sources: z.array(PublishedSource),
});

export type EsgScore = z.output<typeof EsgScoreDetails>;

/** An indicator's codes by framework, without empty ones. `vsme`: its VSME codes, as they are to be shown. */
export function codesByFramework({ gri, ifc, iso26000, sdg }: Codes, vsme: readonly string[], goals = 'SDG') {
  const named = { VSME: vsme, GRI: gri, IFC: ifc, 'ISO 26000': iso26000, [goals]: sdg };
  return Object.entries(named).flatMap(([name, codes]) =>
    codes.length > 0 ? [`${name} ${codes.join(', ')}`] : [],
  );
}

const AssessmentGiven = z.strictObject({
  /** By the ids of indicators. */
  answers: z.record(z.string(), z.union([z.number(), z.boolean()])),
  notApplicable: z.array(z.string()),
  /** Null: the sector of the company's profile. */
  sector: z.string().nullable(),
});

export type AssessmentGiven = z.output<typeof AssessmentGiven>;

/** The company's only assessment, so its subject is empty. */
export const assessments = new ResultKind(
  'assessment',
  'The company’s ESG self-assessment. `given.answers` has its answers by the ids of the indicators. `result` has the ' +
    'whole of it: `score` (null below the minimum coverage), `grade`, `pillars`, `topics`, and each of `indicators` with its ' +
    'answer and score, in the company’s language.',
  AssessmentGiven,
  EsgScoreDetails,
);
export type EsgIndicatorResult = z.output<typeof IndicatorResult>;
