import { Injectable } from '@nestjs/common';

import { fill, wordingIn } from '../../common/wording/wording.js';
import { AssistantsService } from '../../companies/assistants/assistants.service.js';
import {
  excerpt,
  type NewNotification,
  NotificationsService,
} from '../../companies/notifications/notifications.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { AnalysisRequest, DocumentAnalysis } from './analysis.repository.js';

const MAX_NAME_CHARACTERS = 100;
const MAX_BODY_CHARACTERS = 200;

type EndedAnalysis = Pick<DocumentAnalysis, 'result' | 'failure'>;

/** Notifies members of the end of an analysis that their turn did not wait for. */
@Injectable()
export class AnalysisNotifications {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly notifications: NotificationsService,
  ) {}

  /** Notifies each member once, by the latest of their `requests` that asks for it. */
  async notifyEnd(
    tx: Transaction,
    analysis: EndedAnalysis,
    requests: readonly AnalysisRequest[],
  ): Promise<void> {
    const toTell = requests.filter(({ isToTell }) => isToTell);
    const byMember = new Map(toTell.map((request) => [request.memberId, request]));
    const told: NewNotification[] = [];
    for (const request of byMember.values()) told.push(await this.notificationOf(tx, analysis, request));
    await this.notifications.addAll(tx, told);
  }

  private async notificationOf(
    tx: Transaction,
    { result, failure }: EndedAnalysis,
    { memberId, turnId, assistant, documentName }: AnalysisRequest,
  ): Promise<NewNotification> {
    const language = (await this.assistants.findByKey(tx, assistant))?.language ?? 'en';
    const labels = wordingIn(language).analysisNotifications;
    const name = excerpt(documentName, MAX_NAME_CHARACTERS) || labels.attachment;
    return failure === null
      ? {
          memberId,
          kind: 'DOCUMENT_ANALYSED',
          title: fill(labels.analysed, { document: name }),
          body: excerpt(result?.summary ?? '', MAX_BODY_CHARACTERS),
          turnId,
        }
      : {
          memberId,
          kind: 'DOCUMENT_ANALYSIS_FAILED',
          title: fill(labels.notAnalysed, { document: name }),
          body: labels.failures[failure],
          turnId,
        };
  }
}
