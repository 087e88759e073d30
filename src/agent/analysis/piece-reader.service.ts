import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@palabre/json';

import { Plugins } from '../../common/plugins.js';
import { AssistantsService } from '../../companies/assistants/assistants.service.js';
import type { AnalysisPiece, AnalysisRequest } from '../../documents/analysis/analysis.repository.js';
import type { ClaimedAnalysis } from '../../documents/analysis/analysis-work.service.js';
import { PassageIndex } from '../../documents/passages/passage-index.service.js';
import { Database } from '../../platform/database/database.js';
import { type TaskFor, TaskModel, type TaskOutcome } from '../upkeep/task-model.service.js';
import { digestByRule, digestTask, findingsTask, lookedForIn } from './analysis-task.js';
import { summaryOf } from './findings.js';
import { pagesOf } from './piece-text.js';

interface PieceInPlace {
  piece: AnalysisPiece;
  of: number;
  below: readonly AnalysisPiece[];
}

@Injectable()
export class PieceReader {
  constructor(
    private readonly database: Database,
    private readonly assistants: AssistantsService,
    private readonly passages: PassageIndex,
    private readonly models: TaskModel,
    private readonly plugins: Plugins,
  ) {}

  /** What to store of the answer. */
  read(claimed: ClaimedAnalysis, place: PieceInPlace, signal: AbortSignal): Promise<TaskOutcome<JsonObject>> {
    return place.piece.level === 0
      ? this.readPassages(claimed, place, signal)
      : this.sumUp(claimed, place, signal);
  }

  private async readPassages(
    { analysis, payer }: ClaimedAnalysis,
    { piece: { firstPart, lastPart, ordinal }, of }: PieceInPlace,
    signal: AbortSignal,
  ): Promise<TaskOutcome<JsonObject>> {
    const { companyId, contentId, language } = analysis;
    const passages = await this.database.read(companyId, (tx) =>
      this.passages.list(tx, contentId, firstPart, lastPart - firstPart + 1),
    );
    const task = findingsTask({
      language,
      name: payer.documentName,
      number: ordinal + 1,
      of,
      pages: pagesOf(passages),
      lookedFor: lookedForIn(analysis, this.plugins),
    });
    return this.models.attempt(task, await this.taskFor(payer), signal);
  }

  private async sumUp(
    { analysis, payer }: ClaimedAnalysis,
    { piece: { firstPart, lastPart, failures }, below }: PieceInPlace,
    signal: AbortSignal,
  ): Promise<TaskOutcome<JsonObject>> {
    const summaries = below.slice(firstPart, lastPart + 1).flatMap((piece) => summaryOf(piece) ?? []);
    const task = digestTask(analysis.language, payer.documentName, summaries);
    const { value, failure } = await this.models.attempt(task, await this.taskFor(payer), signal);
    if (failure === null) return { value: { summary: value }, failure };
    // The read pieces stay valid even if nobody can summarise them.
    const isLast = failure === 'UNUSABLE' && failures > 0;
    return isLast ? { value: { summary: digestByRule(summaries) }, failure: null } : { value: null, failure };
  }

  private async taskFor({ companyId, turnId, memberId, assistant: key }: AnalysisRequest): Promise<TaskFor> {
    // The assistant's model may have changed since the last piece.
    const assistant = await this.database.transaction(companyId, (tx) => this.assistants.findByKey(tx, key));
    const model = assistant?.model ?? null;
    return { companyId, turnId, memberId, assistantKey: key, model, purpose: 'ANALYSIS' };
  }
}
