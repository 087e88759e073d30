import { inLanguage } from '../../../common/text/in-language.js';

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
  /** What a prompt that was too large says in the place of what was left out. */
  olderLeftOut: string;
  resultLeftOut(skill: string, tokens: number): string;
  /** The search of the company's documents. */
  retrieveDocuments: string;
  retrieveQuery: string;
  onlyInDocuments(names: string): string;
  alsoAttached: string;
  nothingFound: string;
  stillBeingRead(names: string): string;
  couldNotBeRead(names: string): string;
  searchFailed: string;
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
  olderLeftOut: 'Des messages plus anciens ont été laissés de côté, faute de place.',
  resultLeftOut: (skill, tokens) =>
    `[Résultat de ${skill} laissé de côté, faute de place : ${tokens} jetons]`,
  retrieveDocuments:
    "Cherche dans les documents de l'entreprise et rend les passages les plus proches, chacun avec son numéro. À utiliser dès que la réponse peut s'y trouver. Chaque phrase de la réponse qui s'appuie sur un passage finit par le numéro de ce passage entre crochets, [1] ou [1][3], et par aucun autre.",
  retrieveQuery:
    "Ce qui est cherché, avec les mots que les documents emploient sans doute : une question ou quelques mots-clés. Complet par lui-même : ce que la question laisse entendre de la conversation (le sujet, l'année, le lieu) y est écrit.",
  alsoAttached: 'Elle couvre aussi ce qui est joint à cette conversation.',
  onlyInDocuments: (names) => `La question porte sur ces documents, et seuls ceux-ci sont lus : ${names}`,
  nothingFound:
    "Rien n'a été trouvé à ce sujet dans les documents de l'entreprise. Dis-le clairement dans ta réponse, sans numéro de source.",
  stillBeingRead: (names) =>
    `Ces documents sont encore en cours de lecture et n'ont pas pu être consultés : ${names}. Dis-le dans ta réponse : la question pourra être reposée dans un instant.`,
  couldNotBeRead: (names) =>
    `Ces documents n'ont pas pu être lus, pour la raison indiquée avec eux : ${names}. Dis-le dans ta réponse.`,
  searchFailed:
    'La recherche dans les documents a échoué. Dis-le dans ta réponse, et ne fais pas comme si tu les avais lus.',
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
  olderLeftOut: 'Older messages have been left out for lack of room.',
  resultLeftOut: (skill, tokens) => `[Result of ${skill} left out for lack of room: ${tokens} tokens]`,
  retrieveDocuments:
    'Searches the company’s documents and gives the passages that are closest, each with its number. Use it whenever the answer may be in them. Each sentence of the answer that rests on a passage ends in the number of that passage in brackets, [1] or [1][3], and in no other.',
  retrieveQuery:
    'What is looked for, in the words that the documents probably use: a question or a few keywords. Complete by itself: what the question takes for granted from the conversation (the subject, the year, the place) is spelt out.',
  alsoAttached: 'It covers what is attached to this conversation as well.',
  onlyInDocuments: (names) => `The question is about these documents, and no others are read: ${names}`,
  nothingFound:
    'Nothing was found on this in the company’s documents. Say so plainly in your answer, without a source number.',
  stillBeingRead: (names) =>
    `These documents are still being read and could not be searched: ${names}. Say so in your answer: the question can be asked again in a moment.`,
  couldNotBeRead: (names) =>
    `These documents could not be read, for the reason given with them: ${names}. Say so in your answer.`,
  searchFailed:
    'The search of the documents failed. Say so in your answer, and do not write as if you had read them.',
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
  olderLeftOut: 'Se han omitido mensajes más antiguos por falta de espacio.',
  resultLeftOut: (skill, tokens) => `[Resultado de ${skill} omitido por falta de espacio: ${tokens} tokens]`,
  retrieveDocuments:
    'Busca en los documentos de la entidad y devuelve los pasajes más cercanos, cada uno con su número. Úsala siempre que la respuesta pueda estar en ellos. Cada frase de la respuesta que se apoya en un pasaje termina con el número de ese pasaje entre corchetes, [1] o [1][3], y con ningún otro.',
  retrieveQuery:
    'Lo que se busca, con las palabras que probablemente usan los documentos: una pregunta o unas palabras clave. Completo por sí mismo: lo que la pregunta da por sabido de la conversación (el tema, el año, el lugar) se escribe.',
  alsoAttached: 'Abarca también lo adjunto a esta conversación.',
  onlyInDocuments: (names) => `La pregunta trata de estos documentos, y no se leen otros: ${names}`,
  nothingFound:
    'No se ha encontrado nada sobre esto en los documentos de la entidad. Dilo claramente en tu respuesta, sin número de fuente.',
  stillBeingRead: (names) =>
    `Estos documentos todavía se están leyendo y no se han podido consultar: ${names}. Dilo en tu respuesta: se puede volver a preguntar dentro de un momento.`,
  couldNotBeRead: (names) =>
    `Estos documentos no se han podido leer, por el motivo que figura con ellos: ${names}. Dilo en tu respuesta.`,
  searchFailed:
    'La búsqueda en los documentos ha fallado. Dilo en tu respuesta y no escribas como si los hubieras leído.',
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
  olderLeftOut: '因篇幅有限，較早的訊息已略去。',
  resultLeftOut: (skill, tokens) => `〔因篇幅有限，略去 ${skill} 的結果：${tokens} 個詞元〕`,
  retrieveDocuments:
    '查詢公司的文件，傳回最相關的段落，每段都有編號。答案可能在文件裡時就使用。回答中凡是根據段落的句子，句尾都用方括號標上該段的編號，例如 [1] 或 [1][3]，不用其他編號。',
  retrieveQuery:
    '要查的內容，用文件裡可能出現的詞：一個問題或幾個關鍵詞。本身要完整：問題裡省略、要從對話才知道的部分（主題、年度、地點）也要寫出來。',
  alsoAttached: '也涵蓋此對話的附件。',
  onlyInDocuments: (names) => `這個問題只針對這些文件，不讀其他文件：${names}`,
  nothingFound: '公司的文件裡查不到相關內容。請在回答中直接說明，不要加來源編號。',
  stillBeingRead: (names) => `這些文件還在讀取，無法查詢：${names}。請在回答中說明：稍後可以再問一次。`,
  couldNotBeRead: (names) => `這些文件無法讀取，原因附在文件上：${names}。請在回答中說明。`,
  searchFailed: '查詢文件失敗。請在回答中說明，不要寫得像是讀過文件。',
};

/** The labels for a BCP 47 tag, by its language alone; English for a language that has none. */
export const labelsFor = inLanguage<PromptLabels>({ fr, en, es, zh: zhHant });
