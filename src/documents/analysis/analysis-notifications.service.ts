import { Injectable } from '@nestjs/common';

import { inLanguage } from '../../common/text/in-language.js';
import { AssistantsService } from '../../companies/assistants/assistants.service.js';
import {
  excerpt,
  type NewNotification,
  NotificationsService,
} from '../../companies/notifications/notifications.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { AnalysisRequest } from './analysis-request.entity.js';
import type { DocumentAnalysis, AnalysisFailure } from './document-analysis.entity.js';

const MAX_NAME_CHARACTERS = 100;
const MAX_BODY_CHARACTERS = 200;

/** How an analysis has ended. */
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
    const labels = labelsFor(language);
    const name = excerpt(documentName, MAX_NAME_CHARACTERS) || labels.attachment;
    return failure === null
      ? {
          memberId,
          kind: 'DOCUMENT_ANALYSED',
          title: labels.analysed(name),
          body: excerpt(result?.summary ?? '', MAX_BODY_CHARACTERS),
          turnId,
        }
      : {
          memberId,
          kind: 'DOCUMENT_ANALYSIS_FAILED',
          title: labels.notAnalysed(name),
          body: labels.failures[failure],
          turnId,
        };
  }
}

/** The words of notifications about analyses of documents, in one language. */
interface AnalysisLabels {
  /** Stands for the name of what is private to a conversation. */
  attachment: string;
  analysed(document: string): string;
  notAnalysed(document: string): string;
  /** Why it failed. */
  failures: Readonly<Record<AnalysisFailure, string>>;
}

const fr: AnalysisLabels = {
  attachment: 'pièce jointe',
  analysed: (document) => `Analyse terminée : ${document}`,
  notAnalysed: (document) => `Analyse impossible : ${document}`,
  failures: {
    NO_TEXT: 'Le document ne contient pas de texte à analyser.',
    QUOTA: 'Le quota est épuisé.',
    MODEL: 'Le modèle n’y est pas parvenu. Vous pouvez redemander l’analyse.',
    INTERNAL: 'Une erreur l’a empêchée. Vous pouvez redemander l’analyse.',
  },
};

const en: AnalysisLabels = {
  attachment: 'attachment',
  analysed: (document) => `Analysis finished: ${document}`,
  notAnalysed: (document) => `Analysis not possible: ${document}`,
  failures: {
    NO_TEXT: 'The document holds no text that could be analysed.',
    QUOTA: 'What was granted is used up.',
    MODEL: 'The model did not manage. You can ask for the analysis again.',
    INTERNAL: 'An error has prevented it. You can ask for the analysis again.',
  },
};

const es: AnalysisLabels = {
  attachment: 'archivo adjunto',
  analysed: (document) => `Análisis terminado: ${document}`,
  notAnalysed: (document) => `Análisis imposible: ${document}`,
  failures: {
    NO_TEXT: 'El documento no contiene texto que analizar.',
    QUOTA: 'La cuota está agotada.',
    MODEL: 'El modelo no lo logró. Puede volver a pedir el análisis.',
    INTERNAL: 'Un error lo impidió. Puede volver a pedir el análisis.',
  },
};

const zhHant: AnalysisLabels = {
  attachment: '附件',
  analysed: (document) => `分析完成：${document}`,
  notAnalysed: (document) => `無法分析：${document}`,
  failures: {
    NO_TEXT: '文件沒有可分析的文字。',
    QUOTA: '額度已用完。',
    MODEL: '模型未能完成，您可以再次要求分析。',
    INTERNAL: '發生錯誤，您可以再次要求分析。',
  },
};

/** The labels for a BCP 47 tag, by its language alone; English for a language that has none. */
const labelsFor = inLanguage<AnalysisLabels>({ fr, en, es, zh: zhHant });
