import { inLanguage } from '../common/text/in-language.js';
import type { AnalysisFailure } from '../documents/analysis/document-analysis.entity.js';
import type { ModelErrorCode } from '../llm/chat-model.js';
import type { TurnOutcome } from '../turns/claims/turn-outcome.js';

/** The errors of a turn about which there is more to say than that the work has stopped. */
type ToldFailure = ModelErrorCode | 'RATE_LIMITED';

/** The words of notifications, in one language. */
export interface NotificationLabels {
  completed(assistant: string): string;
  failed(assistant: string): string;
  /** Why a turn failed, by the code of its error; `noReason` for every other. */
  failures: Readonly<Record<ToldFailure, string>>;
  noReason: string;
  /** For a turn that failed because its time was over, whatever the code. */
  outOfTime: string;
  approvalRequested(assistant: string): string;
  /** `asker`: whose question it is, for somebody else; null: the reader's own, or nobody knows the name. */
  skillsToAllow(skills: readonly string[], asker: string | null): string;
  documentAnalysed(document: string): string;
  documentNotAnalysed(document: string): string;
  /** Why it was not. */
  analysisFailures: Readonly<Record<AnalysisFailure, string>>;
}

const fr: NotificationLabels = {
  completed: (assistant) => `${assistant} a répondu`,
  failed: (assistant) => `${assistant} n’a pas pu répondre`,
  failures: {
    MODEL_UNAVAILABLE: 'Le modèle n’a pas pu répondre. Vous pouvez reposer la question plus tard.',
    MODEL_REFUSED: 'Le modèle a refusé de répondre à cette question.',
    CONTEXT_TOO_LARGE:
      'La demande est trop longue pour le modèle. Vous pouvez la raccourcir ou ouvrir une nouvelle conversation.',
    RATE_LIMITED: 'Le quota est épuisé.',
  },
  noReason: 'La recherche s’est arrêtée. Vous pouvez reposer la question.',
  outOfTime: 'Aucune réponse n’est venue dans le temps prévu. Vous pouvez reposer la question.',
  approvalRequested: (assistant) => `${assistant} demande une autorisation`,
  skillsToAllow: (skills, asker) =>
    `À autoriser ou à refuser${asker ? ` pour ${asker}` : ''} : ${skills.join(', ')}`,
  documentAnalysed: (document) => `Analyse terminée : ${document}`,
  documentNotAnalysed: (document) => `Analyse impossible : ${document}`,
  analysisFailures: {
    NO_TEXT: 'Le document ne contient pas de texte à analyser.',
    QUOTA: 'Le quota est épuisé.',
    MODEL: 'Le modèle n’y est pas parvenu. Vous pouvez redemander l’analyse.',
    INTERNAL: 'Une erreur l’a empêchée. Vous pouvez redemander l’analyse.',
  },
};

const en: NotificationLabels = {
  completed: (assistant) => `${assistant} has answered`,
  failed: (assistant) => `${assistant} could not answer`,
  failures: {
    MODEL_UNAVAILABLE: 'The model could not answer. You can ask again later.',
    MODEL_REFUSED: 'The model declined to answer this question.',
    CONTEXT_TOO_LARGE:
      'The request is too long for the model. You can shorten it or begin a new conversation.',
    RATE_LIMITED: 'What was granted is used up.',
  },
  noReason: 'The work has stopped. You can ask again.',
  outOfTime: 'No answer came within the time there is for one. You can ask again.',
  approvalRequested: (assistant) => `${assistant} asks for permission`,
  skillsToAllow: (skills, asker) =>
    `To be allowed or refused${asker ? ` for ${asker}` : ''}: ${skills.join(', ')}`,
  documentAnalysed: (document) => `Analysis finished: ${document}`,
  documentNotAnalysed: (document) => `Analysis not possible: ${document}`,
  analysisFailures: {
    NO_TEXT: 'The document holds no text that could be analysed.',
    QUOTA: 'What was granted is used up.',
    MODEL: 'The model did not manage. You can ask for the analysis again.',
    INTERNAL: 'An error has prevented it. You can ask for the analysis again.',
  },
};

const es: NotificationLabels = {
  completed: (assistant) => `${assistant} ha respondido`,
  failed: (assistant) => `${assistant} no ha podido responder`,
  failures: {
    MODEL_UNAVAILABLE: 'El modelo no ha podido responder. Puede volver a preguntar más tarde.',
    MODEL_REFUSED: 'El modelo se ha negado a responder a esta pregunta.',
    CONTEXT_TOO_LARGE:
      'La petición es demasiado larga para el modelo. Puede acortarla o abrir una conversación nueva.',
    RATE_LIMITED: 'La cuota está agotada.',
  },
  noReason: 'El trabajo se ha detenido. Puede volver a preguntar.',
  outOfTime: 'No ha llegado ninguna respuesta en el tiempo previsto. Puede volver a preguntar.',
  approvalRequested: (assistant) => `${assistant} pide autorización`,
  skillsToAllow: (skills, asker) =>
    `Por autorizar o rechazar${asker ? ` para ${asker}` : ''}: ${skills.join(', ')}`,
  documentAnalysed: (document) => `Análisis terminado: ${document}`,
  documentNotAnalysed: (document) => `Análisis imposible: ${document}`,
  analysisFailures: {
    NO_TEXT: 'El documento no contiene texto que analizar.',
    QUOTA: 'La cuota está agotada.',
    MODEL: 'El modelo no lo logró. Puede volver a pedir el análisis.',
    INTERNAL: 'Un error lo impidió. Puede volver a pedir el análisis.',
  },
};

const zhHant: NotificationLabels = {
  completed: (assistant) => `${assistant}已經回覆`,
  failed: (assistant) => `${assistant}無法回覆`,
  failures: {
    MODEL_UNAVAILABLE: '模型無法回覆，您可以稍後再問一次。',
    MODEL_REFUSED: '模型拒絕回答這個問題。',
    CONTEXT_TOO_LARGE: '內容太長，模型無法處理。您可以縮短內容，或開始新的對話。',
    RATE_LIMITED: '額度已用完。',
  },
  noReason: '工作已經中斷，您可以再問一次。',
  outOfTime: '在預定的時間內沒有得到回覆，您可以再問一次。',
  approvalRequested: (assistant) => `${assistant}請求授權`,
  skillsToAllow: (skills, asker) => `待允許或拒絕${asker ? `（${asker}）` : ''}：${skills.join('、')}`,
  documentAnalysed: (document) => `分析完成：${document}`,
  documentNotAnalysed: (document) => `無法分析：${document}`,
  analysisFailures: {
    NO_TEXT: '文件沒有可分析的文字。',
    QUOTA: '額度已用完。',
    MODEL: '模型未能完成，您可以再次要求分析。',
    INTERNAL: '發生錯誤，您可以再次要求分析。',
  },
};

/** The labels for a BCP 47 tag, by its language alone; English for a language that has none. */
export const labelsFor = inLanguage<NotificationLabels>({ fr, en, es, zh: zhHant });

/** Why a turn has no answer. The message of its error is in English whatever the assistant speaks. */
export const sayFailure = (
  { finishReason, error }: Pick<TurnOutcome, 'finishReason' | 'error'>,
  labels: NotificationLabels,
): string => {
  if (finishReason === 'MAX_SECONDS') return labels.outOfTime;
  const byCode: Readonly<Record<string, string>> = labels.failures;
  return byCode[error?.code ?? ''] ?? labels.noReason;
};
