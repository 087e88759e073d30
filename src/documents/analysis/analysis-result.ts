import { z } from 'zod';

/** A figure of a document, with the words that it was found in. */
export const KeyFigure = z.object({
  label: z.string(),
  /** As the document writes it. */
  value: z.string(),
  /** Empty: it has none. */
  unit: z.string(),
  /** From 1; null: the document has no pages. */
  page: z.int().nullable(),
  quote: z.string(),
});
export type KeyFigure = z.output<typeof KeyFigure>;

/** An indicator of the ESG grid that the document says something about, with the words that say it. */
export const CoveredIndicator = z.object({
  code: z.string(),
  label: z.string(),
  page: z.int().nullable(),
  quote: z.string(),
});
export type CoveredIndicator = z.output<typeof CoveredIndicator>;

/** One that nothing was found about. `weight`: in per cent of its pillar. */
export const MissingIndicator = z.object({
  code: z.string(),
  label: z.string(),
  weight: z.number(),
  pillar: z.string(),
});
export type MissingIndicator = z.output<typeof MissingIndicator>;

/** What of a document was read. */
export const Coverage = z.object({
  /** Null: the document has no pages. */
  pages: z.int().nullable(),
  /** Of these, those up to which it was read. */
  pagesRead: z.int().nullable(),
  pieces: z.int(),
  /** Pieces that the model could not make anything of. */
  unread: z.int(),
  /** Nothing was left out. */
  isWhole: z.boolean(),
});
export type Coverage = z.output<typeof Coverage>;

/** What an analysis found. */
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
