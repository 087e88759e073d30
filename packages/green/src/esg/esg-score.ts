import { z } from 'zod';

import { PublishedSource, ResultKind } from '../kept-result.js';

/**
 * An ESG self-assessment in full, as it is stored in `SkillCall.details`: ids and codes are the same in every language,
 * what is written for people is in `language`. Nothing is left out or shortened. Fields are only ever added.
 */

/** 0 to 100, to the tenth; null: nothing of it is answered. */
const PartialScore = z.number().min(0).max(100).nullable();
/** 0 to 1. */
const Share = z.number().min(0).max(1);
export const Pillar = z.enum(['E', 'S', 'G']);

const scored = {
  score: PartialScore,
  /** The share of its weight that is answered. */
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
  /** A level from 0 on, an amount in `unit`, or yes and no; null unless it is answered. */
  answer: z.union([z.number(), z.boolean()]).nullable(),
  answerText: z.string().nullable(),
  unit: z.enum(['percent', 'deaths', 'hours_per_employee_year']).nullable(),
  /** Null unless it is answered. */
  score: PartialScore,
  /** Its share of the overall score, sector applied; 0 where it does not apply to the company. */
  weight: Share,
  codes: Codes,
  /** Ids of `sources`: where the codes come from. */
  sources: z.array(z.string()),
});

/** Reads a stored assessment back; a report is written from it. */
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
  /** What each pillar's coverage has to reach for an overall score. */
  minimumCoverage: Share,
  /** `weight`: its share of the overall score. */
  pillars: z.array(z.object({ id: Pillar, title: z.string(), weight: Share, ...scored })),
  /** In the order of the pillars. A topic may stand in two pillars: each has its own part of it. */
  topics: z.array(z.object({ pillar: Pillar, id: z.string(), title: z.string(), weight: Share, ...scored })),
  indicators: z.array(IndicatorResult),
  /** Indicators of at least 75, those that carry the most first. */
  strengths: z.array(z.object({ indicator: z.string() })),
  /** Indicators under 50, those that would bring the most first. */
  weaknesses: z.array(
    z.object({
      indicator: z.string(),
      /** Points of the overall score that a full answer would add. */
      potential: z.number().min(0).max(100),
      nextAction: z.string(),
    }),
  ),
  /** What is not answered, the heaviest first. */
  nextQuestions: z.array(z.object({ indicator: z.string(), question: z.string(), expected: z.string() })),
  notes: z.array(z.object({ code: z.string(), text: z.string() })),
  sources: z.array(PublishedSource),
});

export type EsgScore = z.output<typeof EsgScoreDetails>;

/** The codes of an indicator by the frameworks that have any; `vsme`: what is told of each of that. */
export function codesByFramework({ gri, ifc, iso26000, sdg }: Codes, vsme: readonly string[], goals = 'SDG') {
  const named = { VSME: vsme, GRI: gri, IFC: ifc, 'ISO 26000': iso26000, [goals]: sdg };
  return Object.entries(named).flatMap(([name, codes]) =>
    codes.length > 0 ? [`${name} ${codes.join(', ')}`] : [],
  );
}

/** What an assessment was scored from. */
const AssessmentGiven = z.strictObject({
  /** By the ids of indicators. */
  answers: z.record(z.string(), z.union([z.number(), z.boolean()])),
  notApplicable: z.array(z.string()),
  /** Null: that of the company's profile. */
  sector: z.string().nullable(),
});

export type AssessmentGiven = z.output<typeof AssessmentGiven>;

/** The company's assessment: there is but one, and its subject is empty. */
export const assessments = new ResultKind(
  'assessment',
  'The company’s ESG self-assessment. `given.answers` has its answers by the ids of the indicators. `result` has the ' +
    'whole of it: `score` (null below the minimum coverage), `grade`, `pillars`, `topics`, and each of `indicators` with its ' +
    'answer and score, in the company’s language.',
  AssessmentGiven,
  EsgScoreDetails,
);
export type EsgIndicatorResult = z.output<typeof IndicatorResult>;
