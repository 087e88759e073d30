import { Injectable } from '@nestjs/common';

import { Plugins } from '../../common/plugins.js';
import type { AnalysisPiece } from '../../documents/analysis/analysis-piece.entity.js';
import type { AnalysisResult, Coverage } from '../../documents/analysis/analysis-result.js';
import type { ClaimedAnalysis } from '../../documents/analysis/analysis-work.service.js';
import { PassageIndex } from '../../documents/passages/passage-index.service.js';
import { Database } from '../../platform/database/database.js';
import { digestByRule, indicatorsFor } from './analysis-task.js';
import { findingsOf, summaryOf } from './findings.js';
import { mergedEsg, mergedFigures } from './merged-findings.js';

/** Puts together what was found in the pieces of a document. */
@Injectable()
export class AnalysisResults {
  constructor(
    private readonly database: Database,
    private readonly passages: PassageIndex,
    private readonly plugins: Plugins,
  ) {}

  /** `levels`: all pieces, from those that were read to the one that sums all up. */
  async resultOf(
    claimed: ClaimedAnalysis,
    levels: readonly (readonly AnalysisPiece[])[],
  ): Promise<AnalysisResult> {
    const { analysis } = claimed;
    const [read = []] = levels;
    const findings = read.flatMap((piece) => findingsOf(piece) ?? []);
    const isEsg = analysis.focus === 'ESG';
    return {
      summary: summaryIn(levels),
      keyFigures: mergedFigures(findings),
      esg: isEsg ? mergedEsg(findings, indicatorsFor(analysis, this.plugins)) : null,
      coverage: await this.coverageOf(claimed, read),
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

/** The one on top; where it was given up, what stands below it by rule. */
function summaryIn(levels: readonly (readonly AnalysisPiece[])[]): string {
  for (const pieces of levels.toReversed()) {
    const summaries = pieces.flatMap((piece) => summaryOf(piece) ?? []);
    if (summaries.length > 0) return summaries.length === 1 ? (summaries[0] ?? '') : digestByRule(summaries);
  }
  return '';
}
