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

/** An indicator of the ESG grid that the document covers, with a quote. */
export const CoveredIndicator = z.object({
  code: z.string(),
  label: z.string(),
  page: z.int().nullable(),
  quote: z.string(),
});
export type CoveredIndicator = z.output<typeof CoveredIndicator>;

/** An indicator that the document does not cover. `weight`: per cent of its pillar. */
export const MissingIndicator = z.object({
  code: z.string(),
  label: z.string(),
  weight: z.number(),
  pillar: z.string(),
});
export type MissingIndicator = z.output<typeof MissingIndicator>;

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

/** The result of an analysis. */
export const AnalysisResult = z.object({
  summary: z.string(),
  /** In the order of the document. */
  keyFigures: z.array(KeyFigure),
  /** Null: it was not asked for. */
  esg: z
    .object({
      covered: z.array(CoveredIndicator),
      /** By pillar, the heaviest first. */
      missing: z.array(MissingIndicator),
    })
    .nullable(),
  coverage: Coverage,
});
export type AnalysisResult = z.output<typeof AnalysisResult>;
