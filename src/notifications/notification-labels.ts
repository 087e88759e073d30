/** The words of notifications, in one language. */
export interface NotificationLabels {
  completed(assistant: string): string;
  failed(assistant: string): string;
  /** For a turn that failed without saying why. */
  noReason: string;
  approvalRequested(assistant: string): string;
  skillsToAllow(skills: readonly string[]): string;
}

const fr: NotificationLabels = {
  completed: (assistant) => `${assistant} a répondu`,
  failed: (assistant) => `${assistant} n’a pas pu répondre`,
  noReason: 'La recherche s’est arrêtée. Vous pouvez reposer la question.',
  approvalRequested: (assistant) => `${assistant} demande une autorisation`,
  skillsToAllow: (skills) => `À autoriser ou à refuser : ${skills.join(', ')}`,
};

const en: NotificationLabels = {
  completed: (assistant) => `${assistant} has answered`,
  failed: (assistant) => `${assistant} could not answer`,
  noReason: 'The work has stopped. You can ask again.',
  approvalRequested: (assistant) => `${assistant} asks for permission`,
  skillsToAllow: (skills) => `To be allowed or refused: ${skills.join(', ')}`,
};

const es: NotificationLabels = {
  completed: (assistant) => `${assistant} ha respondido`,
  failed: (assistant) => `${assistant} no ha podido responder`,
  noReason: 'El trabajo se ha detenido. Puede volver a preguntar.',
  approvalRequested: (assistant) => `${assistant} pide autorización`,
  skillsToAllow: (skills) => `Por autorizar o rechazar: ${skills.join(', ')}`,
};

const zhHant: NotificationLabels = {
  completed: (assistant) => `${assistant}已經回覆`,
  failed: (assistant) => `${assistant}無法回覆`,
  noReason: '工作已經中斷，您可以再問一次。',
  approvalRequested: (assistant) => `${assistant}請求授權`,
  skillsToAllow: (skills) => `待允許或拒絕：${skills.join('、')}`,
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
