/** The words around the data of a prompt, in one language. */
export interface PromptLabels {
  colon: string;
  listSeparator: string;
  name: string;
  sector: string;
  country: string;
  city: string;
  headcount: string;
  revenue: string;
  environmentalPractices: string;
  declaredGoals: string;
  attributes: string;
  yes: string;
  no: string;
  nothingKnown: string;
  nothingElseKnown: string;
  unnamedMember: string;
  noSkill: string;
  summaryTitle: string;
  newConversationTitle: string;
  /** Also true once messages follow, so that the system prompt does not change until there is a summary. */
  newConversation: string;
  /** Stands in for a result that was never recorded. */
  unknownOutcome: string;
}

const fr: PromptLabels = {
  colon: ' : ',
  listSeparator: ' ; ',
  name: 'Nom',
  sector: 'Secteur',
  country: 'Pays',
  city: 'Ville',
  headcount: 'Effectif',
  revenue: "Chiffre d'affaires",
  environmentalPractices: 'Pratiques environnementales connues',
  declaredGoals: 'Objectifs déclarés',
  attributes: 'Autres renseignements',
  yes: 'oui',
  no: 'non',
  nothingKnown: "On ne sait encore rien de l'entreprise.",
  nothingElseKnown: "On ne sait encore rien d'autre de l'entreprise.",
  unnamedMember: "un membre de l'équipe",
  noSkill: "Aucun outil n'est disponible pour le moment.",
  summaryTitle: 'Résumé du début de la conversation',
  newConversationTitle: 'Nouvelle conversation',
  newConversation: "Il n'y a pas de résumé : tout ce qui a été dit se trouve dans les messages qui suivent.",
  unknownOutcome:
    "L'appel a été interrompu avant que son résultat soit connu. Ne suppose ni qu'il a réussi ni qu'il a échoué.",
};

const en: PromptLabels = {
  colon: ': ',
  listSeparator: '; ',
  name: 'Name',
  sector: 'Sector',
  country: 'Country',
  city: 'City',
  headcount: 'Headcount',
  revenue: 'Revenue',
  environmentalPractices: 'Known environmental practices',
  declaredGoals: 'Declared goals',
  attributes: 'Other facts',
  yes: 'yes',
  no: 'no',
  nothingKnown: 'Nothing is known about the company yet.',
  nothingElseKnown: 'Nothing else is known about the company yet.',
  unnamedMember: 'a member of the team',
  noSkill: 'No skill is available at the moment.',
  summaryTitle: 'Summary of the earlier conversation',
  newConversationTitle: 'New conversation',
  newConversation: 'There is no summary: everything that was said is in the messages that follow.',
  unknownOutcome:
    'The call was interrupted before its result was known. Assume neither that it succeeded nor that it failed.',
};

const es: PromptLabels = {
  colon: ': ',
  listSeparator: '; ',
  name: 'Nombre',
  sector: 'Sector',
  country: 'País',
  city: 'Ciudad',
  headcount: 'Plantilla',
  revenue: 'Facturación',
  environmentalPractices: 'Prácticas ambientales conocidas',
  declaredGoals: 'Objetivos declarados',
  attributes: 'Otros datos',
  yes: 'sí',
  no: 'no',
  nothingKnown: 'Todavía no se sabe nada de la entidad.',
  nothingElseKnown: 'Todavía no se sabe nada más de la entidad.',
  unnamedMember: 'una persona del equipo',
  noSkill: 'Ahora mismo no hay ninguna habilidad disponible.',
  summaryTitle: 'Resumen de lo hablado hasta ahora',
  newConversationTitle: 'Conversación nueva',
  newConversation: 'No hay resumen: todo lo que se ha dicho está en los mensajes que siguen.',
  unknownOutcome:
    'La llamada se interrumpió antes de conocerse el resultado. No des por hecho ni que se hizo ni que falló.',
};

const zhHant: PromptLabels = {
  colon: '：',
  listSeparator: '；',
  name: '名稱',
  sector: '產業',
  country: '國家／地區',
  city: '城市',
  headcount: '員工人數',
  revenue: '營業額',
  environmentalPractices: '已知的環保作為',
  declaredGoals: '公司訂定的目標',
  attributes: '其他資料',
  yes: '是',
  no: '否',
  nothingKnown: '目前還沒有這家公司的任何資料。',
  nothingElseKnown: '除此之外，還沒有這家公司的其他資料。',
  unnamedMember: '一位同事',
  noSkill: '目前沒有可用的工具。',
  summaryTitle: '先前對話的摘要',
  newConversationTitle: '新的對話',
  newConversation: '沒有摘要：到目前為止的內容都在接下來的訊息裡。',
  unknownOutcome: '這次呼叫在得知結果之前就中斷了。不要當作已經成功，也不要當作已經失敗。',
};

const labelsByLanguage: ReadonlyMap<string, PromptLabels> = new Map([
  ['fr', fr],
  ['en', en],
  ['es', es],
  ['zh', zhHant],
]);

/** The labels for a BCP 47 tag, by its language alone; English for a language that has none. */
export const labelsFor = (language: string): PromptLabels =>
  labelsByLanguage.get(language.toLowerCase().split(/[-_]/)[0] ?? '') ?? en;
