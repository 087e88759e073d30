import { Injectable, type OnModuleInit } from '@nestjs/common';

import { AssistantsService } from '../assistants/assistants.service.js';
import { AnalysisHooks, type EndedAnalysis } from '../documents/analysis/analysis-hooks.js';
import type { AnalysisRequest } from '../documents/analysis/analysis-request.entity.js';
import type { Transaction } from '../database/transaction.js';
import { beginningOf } from './beginning.js';
import { labelsFor } from './notification-labels.js';
import { type NewNotification, NotificationsService } from './notifications.service.js';

const LONGEST_NAME = 100;
const LONGEST_BODY = 200;

/** Tells members what became of the analysis of a document that their turn has not waited for. */
@Injectable()
export class DocumentNotifications implements OnModuleInit {
  constructor(
    private readonly hooks: AnalysisHooks,
    private readonly assistants: AssistantsService,
    private readonly notifications: NotificationsService,
  ) {}

  onModuleInit(): void {
    this.hooks.onEnded((tx, analysis, waiting) => this.tellEnd(tx, analysis, waiting));
  }

  private async tellEnd(
    tx: Transaction,
    analysis: EndedAnalysis,
    waiting: readonly AnalysisRequest[],
  ): Promise<void> {
    const told: NewNotification[] = [];
    for (const request of waiting) told.push(await this.notificationOf(tx, analysis, request));
    await this.notifications.addAll(tx, told);
  }

  private async notificationOf(
    tx: Transaction,
    { result, failure }: EndedAnalysis,
    { memberId, turnId, assistant, documentName }: AnalysisRequest,
  ): Promise<NewNotification> {
    const language = (await this.assistants.findByKey(tx, assistant))?.language ?? 'en';
    const labels = labelsFor(language);
    const name = beginningOf(documentName, LONGEST_NAME);
    return failure === null
      ? {
          memberId,
          kind: 'DOCUMENT_ANALYSED',
          title: labels.documentAnalysed(name),
          body: beginningOf(result?.summary ?? '', LONGEST_BODY),
          turnId,
        }
      : {
          memberId,
          kind: 'DOCUMENT_ANALYSIS_FAILED',
          title: labels.documentNotAnalysed(name),
          body: labels.analysisFailures[failure],
          turnId,
        };
  }
}
