import type { AnalysisFailure } from '../documents/analysis/document-analysis.entity.js';

/** The words of notifications, in one language. */
export interface NotificationLabels {
  completed(assistant: string): string;
  failed(assistant: string): string;
  /** For a turn that failed without saying why. */
  noReason: string;
  approvalRequested(assistant: string): string;
  skillsToAllow(skills: readonly string[]): string;
  documentAnalysed(document: string): string;
  documentNotAnalysed(document: string): string;
  /** Why it was not. */
  analysisFailures: Readonly<Record<AnalysisFailure, string>>;
}

const fr: NotificationLabels = {
  completed: (assistant) => `${assistant} a répondu`,
  failed: (assistant) => `${assistant} n’a pas pu répondre`,
  noReason: 'La recherche s’est arrêtée. Vous pouvez reposer la question.',
  approvalRequested: (assistant) => `${assistant} demande une autorisation`,
  skillsToAllow: (skills) => `À autoriser ou à refuser : ${skills.join(', ')}`,
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
  noReason: 'The work has stopped. You can ask again.',
  approvalRequested: (assistant) => `${assistant} asks for permission`,
  skillsToAllow: (skills) => `To be allowed or refused: ${skills.join(', ')}`,
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
  noReason: 'El trabajo se ha detenido. Puede volver a preguntar.',
  approvalRequested: (assistant) => `${assistant} pide autorización`,
  skillsToAllow: (skills) => `Por autorizar o rechazar: ${skills.join(', ')}`,
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
  noReason: '工作已經中斷，您可以再問一次。',
  approvalRequested: (assistant) => `${assistant}請求授權`,
  skillsToAllow: (skills) => `待允許或拒絕：${skills.join('、')}`,
  documentAnalysed: (document) => `分析完成：${document}`,
  documentNotAnalysed: (document) => `無法分析：${document}`,
  analysisFailures: {
    NO_TEXT: '文件沒有可分析的文字。',
    QUOTA: '額度已用完。',
    MODEL: '模型未能完成，您可以再次要求分析。',
    INTERNAL: '發生錯誤，您可以再次要求分析。',
  },
};

const labelsByLanguage: ReadonlyMap<string, NotificationLabels> = new Map([
  ['fr', fr],
  ['en', en],
  ['es', es],
  ['zh', zhHant],
]);

/** The labels for a BCP 47 tag, by its language alone; English for a language that has none. */
export const labelsFor = (language: string): NotificationLabels =>
  labelsByLanguage.get(language.toLowerCase().split(/[-_]/)[0] ?? '') ?? en;
