import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@palabre/json';

import { Plugins } from '../../common/plugins.js';
import type { AnalysisPiece } from '../../documents/analysis/analysis.repository.js';
import type { AnalysisResult, Coverage } from '../../documents/analysis/analysis-result.js';
import { AnalysisWork, type ClaimedAnalysis } from '../../documents/analysis/analysis-work.service.js';
import { PassageIndex } from '../../documents/passages/passage-index.service.js';
import { Database } from '../../platform/database/database.js';
import type { TaskFailure, TaskOutcome } from '../upkeep/task-model.service.js';
import { AnalysisPlans } from './analysis-plans.service.js';
import { digestByRule, lookedForIn } from './analysis-task.js';
import { findingsOf, isOpen, summaryOf } from './findings.js';
import { mergedIndicators, mergedFigures } from './merged-findings.js';
import { PieceReader } from './piece-reader.service.js';

/** After this time the analysis goes back in line, so that others get a turn. */
const SLICE_MS = 30_000;
/** The most pieces of a document that are read at once. */
const PIECES_AT_A_TIME = 2;
/** The progress when everything is read. */
const READ_SHARE = 0.9;

/** Analyses documents piece by piece. Finished pieces stay, whoever continues. */
@Injectable()
export class DocumentAnalyst {
  constructor(
    private readonly work: AnalysisWork,
    private readonly plans: AnalysisPlans,
    private readonly reader: PieceReader,
    private readonly database: Database,
    private readonly passages: PassageIndex,
    private readonly plugins: Plugins,
  ) {}

  /** Continues for a while. Rejects with unexpected errors, AnalysisLost, and when `signal` is aborted. */
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
      if (left) return this.postpone(claimed, left);
      levels.push(pieces);
      if (levels.length === 1 && pieces.every((piece) => findingsOf(piece) === null))
        return this.work.fail(analysis, 'MODEL');
      if (pieces.length === 1) break;
    }
    await this.work.complete(analysis, await this.resultOf(claimed, levels));
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

  private async postpone({ analysis, payer }: ClaimedAnalysis, left: LeftFor): Promise<void> {
    if (left === 'TIME') return this.work.putBack(analysis);
    if (left === 'SPENT') return this.work.refuse(analysis, payer);
    if (!(await this.work.retryLater(analysis))) await this.work.fail(analysis, 'MODEL');
  }

  /** `levels`: all pieces, from those that were read up to the final summary. */
  private async resultOf(
    claimed: ClaimedAnalysis,
    levels: readonly (readonly AnalysisPiece[])[],
  ): Promise<AnalysisResult> {
    const { analysis } = claimed;
    const [read = []] = levels;
    const findings = read.flatMap((piece) => findingsOf(piece) ?? []);
    const lookedFor = lookedForIn(analysis, this.plugins);
    return {
      summary: summaryIn(levels),
      keyFigures: mergedFigures(findings),
      coverage: await this.coverageOf(claimed, read),
      ...(lookedFor && { [lookedFor.focus]: mergedIndicators(findings, lookedFor.indicators) }),
    };
  }

  private async coverageOf(
    { analysis, pages }: ClaimedAnalysis,
    read: readonly AnalysisPiece[],
  ): Promise<Coverage> {
    const { companyId, contentId } = analysis;
    const unread = read.filter((piece) => findingsOf(piece) === null).length;
    const last = read.at(-1)?.lastPart ?? 0;
    const [passage, next] = await this.database.read(companyId, (tx) =>
      this.passages.list(tx, contentId, last, 2),
    );
    const isCut = next !== undefined;
    return {
      pages,
      pagesRead: pages === null ? null : isCut ? (passage?.page ?? null) : pages,
      pieces: read.length,
      unread,
      isWhole: !isCut && unread === 0,
    };
  }
}

/** The top summary. If it was given up, a rule combines the ones below. */
function summaryIn(levels: readonly (readonly AnalysisPiece[])[]): string {
  for (const pieces of levels.toReversed()) {
    const summaries = pieces.flatMap((piece) => summaryOf(piece) ?? []);
    if (summaries.length > 0) return summaries.length === 1 ? (summaries[0] ?? '') : digestByRule(summaries);
  }
  return '';
}

/** Why pieces are left. */
type LeftFor = Extract<TaskFailure, 'SPENT' | 'UNREACHABLE'> | 'TIME';

export interface SliceWork {
  read(piece: AnalysisPiece, signal: AbortSignal): Promise<TaskOutcome<JsonObject>>;
  /** Null: nothing usable. */
  store(piece: AnalysisPiece, findings: JsonObject | null): Promise<void>;
  isOverdue(): boolean;
}

/** Reads pieces and stores the findings. Returns why some were left. Rejects on an error, once all workers ended. */
export async function workThrough(
  pieces: readonly AnalysisPiece[],
  work: SliceWork,
  { atATime, signal }: { atATime: number; signal: AbortSignal },
): Promise<LeftFor | null> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const underWay = new Set<AnalysisPiece>();
  const left: LeftFor[] = [];
  const goOn = async (): Promise<void> => {
    while (left.length === 0) {
      either.throwIfAborted();
      const piece = pieces.find((each) => isOpen(each) && !underWay.has(each));
      if (!piece) return;
      if (work.isOverdue()) return void left.push('TIME');
      underWay.add(piece);
      const { value, failure } = await work.read(piece, either);
      if (failure === 'SPENT' || failure === 'UNREACHABLE') return void left.push(failure);
      await work.store(piece, value);
      note(piece, value);
      underWay.delete(piece);
    }
  };
  const workers = Array.from({ length: atATime }, () =>
    goOn().catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  await Promise.allSettled(workers);
  // The first failure ended the others.
  if (failed.signal.aborted) throw failed.signal.reason;
  return left[0] ?? null;
}

function note(piece: AnalysisPiece, findings: JsonObject | null): void {
  Object.assign(piece, findings === null ? { failures: piece.failures + 1 } : { findings });
}
