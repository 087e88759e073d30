import type { JsonValue } from '@palabre/json';
import { z } from 'zod';

/** A figure of a document, with a quote that contains it. */
export const KeyFigure = z.object({
  label: z.string(),
  /** As the document writes it. */
  value: z.string(),
  /** Empty: no unit. */
  unit: z.string(),
  /** From 1; null: the document has no pages. */
  page: z.int().nullable(),
  quote: z.string(),
});
export type KeyFigure = z.output<typeof KeyFigure>;

/** An indicator that the document covers, with a quote. */
const CoveredIndicator = z.object({
  code: z.string(),
  label: z.string(),
  page: z.int().nullable(),
  quote: z.string(),
});
type CoveredIndicator = z.output<typeof CoveredIndicator>;

/** An indicator that the document does not cover. `weight`: per cent of its pillar. */
const MissingIndicator = z.object({
  code: z.string(),
  label: z.string(),
  weight: z.number(),
  pillar: z.string(),
});
type MissingIndicator = z.output<typeof MissingIndicator>;

/** How much of a document was read. */
export const Coverage = z.object({
  /** Null: the document has no pages. */
  pages: z.int().nullable(),
  /** The last page that was read. */
  pagesRead: z.int().nullable(),
  pieces: z.int(),
  /** Pieces for which the model gave no usable answer. */
  unread: z.int(),
  /** Nothing was left out. */
  isWhole: z.boolean(),
});
export type Coverage = z.output<typeof Coverage>;

/** The indicators of a package. */
export const IndicatorsFound = z.object({
  covered: z.array(CoveredIndicator),
  /** By pillar, the heaviest first. */
  missing: z.array(MissingIndicator),
});
export type IndicatorsFound = z.output<typeof IndicatorsFound>;

export interface AnalysisResult {
  summary: string;
  /** In the order of the document. */
  keyFigures: KeyFigure[];
  coverage: Coverage;
  /** The indicators, under the name of their focus: see indicatorsIn. */
  [focus: string]: JsonValue;
}

/** Null: none were requested. */
export function indicatorsIn(result: AnalysisResult, focus: string): IndicatorsFound | null {
  return IndicatorsFound.safeParse(result[focus]).data ?? null;
}
