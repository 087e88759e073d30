import { z } from 'zod';

import { PublishedSource } from '../kept-result.js';
import { Codes, Pillar } from './esg-score.js';

/** The criteria as they must be for the calculation: what it reads of them, checked once when they are loaded. */

const Points = z.number().min(0).max(100);

const Level = z.object({ value: z.int(), score: Points, labelFr: z.string(), labelEn: z.string() });

const Scoring = z.discriminatedUnion('method', [
  z.object({ method: z.literal('boolean'), true: Points, false: Points }),
  z.object({ method: z.literal('scale'), levels: z.array(Level).min(2) }),
  z.object({
    method: z.literal('linear'),
    at0: z.number(),
    at100: z.number(),
    better: z.enum(['higher', 'lower']),
    clamp: z.literal(true),
  }),
]);

const Indicator = z.object({
  id: z.string().regex(/^[ESG]\d{2}$/),
  pillar: Pillar,
  topic: z.string(),
  weight: z.number().positive(),
  questionFr: z.string(),
  questionEn: z.string(),
  answerType: z.enum(['boolean', 'percentage', 'number', 'scale']),
  unit: z.string().nullable(),
  scoring: Scoring,
  mapping: Codes,
});

const named = { nameFr: z.string(), nameEn: z.string() };
const titled = z.record(z.string(), z.unknown());

export const CriteriaFile = z.object({
  schemaVersion: z.string(),
  compiledAt: z.iso.date(),
  scoringRule: z.object({
    pillarWeights: z.strictObject({
      E: z.number().positive(),
      S: z.number().positive(),
      G: z.number().positive(),
    }),
    minimumCoverage: z.number().min(0).max(1),
    grades: z.array(z.object({ min: Points, grade: z.string() })).min(2),
  }),
  sources: z.array(PublishedSource).min(1),
  frameworks: z.object({
    vsme: z.record(z.string(), z.object({ paragraphs: z.array(z.string()) })),
    gri: titled,
    ifc: titled,
    iso26000: z.object({ coreSubjects: titled, issues: titled }),
    sdg: titled,
  }),
  pillars: z.array(z.object({ id: Pillar, ...named })).length(3),
  topics: z.array(z.object({ id: z.string(), ...named })).min(1),
  indicators: z.array(Indicator).min(1),
  sectors: z
    .array(
      z.object({ id: z.string(), ...named, multipliers: z.record(z.string(), z.number().min(0.5).max(1.5)) }),
    )
    .min(1),
});

export type CriteriaFile = z.output<typeof CriteriaFile>;
export type RawIndicator = CriteriaFile['indicators'][number];
export type Source = CriteriaFile['sources'][number];
