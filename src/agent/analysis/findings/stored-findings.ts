import { z } from 'zod';

import type { AnalysisPiece } from '../../../documents/analysis/analysis-piece.entity.js';
import { Findings } from './findings.js';

/** A model that gave nothing of use so often is not asked for the piece again. */
const MOST_FAILURES = 2;

const Summed = z.object({ summary: z.string() });

/** Whether there is still something to be done for it. */
export const isOpen = ({ findings, failures }: AnalysisPiece): boolean =>
  findings === null && failures < MOST_FAILURES;

/** Of a piece of any level; null: it was given up. */
export const summaryOf = ({ findings }: AnalysisPiece): string | null =>
  Summed.safeParse(findings).data?.summary ?? null;

/** Of a piece that was read; null: it was given up. */
export const findingsOf = ({ findings }: AnalysisPiece): Findings | null =>
  Findings.safeParse(findings).data ?? null;
