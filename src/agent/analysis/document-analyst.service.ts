import { Injectable } from '@nestjs/common';

import type { AnalysisPiece } from '../../documents/analysis/analysis-piece.entity.js';
import { AnalysisWork, type ClaimedAnalysis } from '../../documents/analysis/analysis-work.service.js';
import { AnalysisPlans } from './analysis-plans.service.js';
import { AnalysisResults } from './analysis-results.service.js';
import { type LeftFor, workThrough } from './analysis-slice.js';
import { PieceReader } from './pieces/piece-reader.service.js';
import { findingsOf, isOpen } from './findings/stored-findings.js';

/** After so long it makes room for others, and goes on later. */
const SLICE_MS = 30_000;
/** Of a document. */
const PIECES_AT_A_TIME = 2;
/** The model away: tried again after 5 s, 10 s … of which the last is over a minute. */
const UNREACHABLE = { most: 4, pauseSeconds: 5 };
/** What is done when all is read. */
const READ_SHARE = 0.9;

/** Analyses documents, piece by piece: what is done of it stays done, whoever goes on with it. */
@Injectable()
export class DocumentAnalyst {
  constructor(
    private readonly work: AnalysisWork,
    private readonly plans: AnalysisPlans,
    private readonly reader: PieceReader,
    private readonly results: AnalysisResults,
  ) {}

  /** Goes on with it for a while. Rejects with what nobody has foreseen, with AnalysisLost, and when `signal` is aborted. */
  async goOn(claimed: ClaimedAnalysis, signal: AbortSignal): Promise<void> {
    const { analysis } = claimed;
    const begun = performance.now();
    const isOverdue = (): boolean => performance.now() - begun > SLICE_MS;
    const levels: AnalysisPiece[][] = [];
    for (;;) {
      const below = levels.at(-1) ?? [];
      const pieces = await this.plans.piecesOf(claimed, levels.length, below);
      if (pieces.length === 0) return this.work.fail(analysis, 'NO_TEXT');
      const left = await this.workThrough(claimed, pieces, below, { isOverdue, signal });
      if (left) return this.leave(claimed, left);
      levels.push(pieces);
      if (levels.length === 1 && pieces.every((piece) => findingsOf(piece) === null)) {
        return this.work.fail(analysis, 'MODEL');
      }
      if (pieces.length === 1) break;
    }
    await this.work.complete(analysis, await this.results.resultOf(claimed, levels));
  }

  private workThrough(
    claimed: ClaimedAnalysis,
    pieces: readonly AnalysisPiece[],
    below: readonly AnalysisPiece[],
    { isOverdue, signal }: { isOverdue: () => boolean; signal: AbortSignal },
  ): Promise<LeftFor | null> {
    const of = pieces.length;
    return workThrough(
      pieces,
      {
        isOverdue,
        read: (piece, either) => this.reader.read(claimed, { piece, of, below }, either),
        store: (piece, findings) => {
          const done = 1 + pieces.filter((each) => each !== piece && !isOpen(each)).length;
          const progress = piece.level === 0 ? (READ_SHARE * done) / of : READ_SHARE;
          return this.work.storePiece(claimed.analysis, piece, findings, progress);
        },
      },
      { atATime: PIECES_AT_A_TIME, signal },
    );
  }

  private async leave({ analysis, payer }: ClaimedAnalysis, left: LeftFor): Promise<void> {
    if (left === 'TIME') return this.work.putBack(analysis);
    if (left === 'SPENT') return this.work.refuse(analysis, payer);
    if (!(await this.work.putOff(analysis, UNREACHABLE))) await this.work.fail(analysis, 'MODEL');
  }
}
