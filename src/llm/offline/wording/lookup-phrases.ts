import type { Language } from '../reading/words/language.js';

/** What is said around pages and passages that were looked up. */
export interface LookupPhrases {
  /** Begins what one page says. */
  accordingTo: (title: string, host: string) => string;
  /** Of pages that only the search's own excerpts are known of. */
  notOpened: string;
  noneAnswers: string;
  nothingFound: string;
  notRead: (address: string, reason: string) => string;
  sources: string;
  addressed: (title: string, address: string) => string;
  dated: (source: string, date: string) => string;
  documents: string;
  notInDocuments: string;
  closest: (documents: string) => string;
  page: (document: string, page: number) => string;
}

const fr: LookupPhrases = {
  accordingTo: (title, host) => `Selon « ${title} » (${host}) :`,
  notOpened: "Je n'ai pas ouvert ces pages ; voici ce qu'en montre la recherche :",
  noneAnswers: "Je n'ai pas trouvé de réponse directe à votre question. Voici ce qui s'en approche le plus :",
  nothingFound: "La recherche sur le web n'a rien donné pour cette question.",
  notRead: (address, reason) => `Je n'ai pas pu lire ${address}. ${reason}`,
  sources: 'Sources',
  addressed: (title, address) => `${title}, ${address}`,
  dated: (source, date) => `${source} (${date})`,
  documents: "D'après les documents de l'entreprise :",
  notInDocuments:
    "Les documents de l'entreprise ne répondent pas à cette question. Si un autre document en parle, ajoutez-le, ou posez la question avec les mots qu'il emploie.",
  closest: (documents) => `Ce qui s'en approche le plus : ${documents}.`,
  page: (document, page) => `${document}, p. ${page}`,
};

const en: LookupPhrases = {
  accordingTo: (title, host) => `According to “${title}” (${host}):`,
  notOpened: 'I did not open these pages; this is what the search shows of them:',
  noneAnswers: 'I found no direct answer to your question. This is what comes closest:',
  nothingFound: 'The web search found nothing for this question.',
  notRead: (address, reason) => `I could not read ${address}. ${reason}`,
  sources: 'Sources',
  addressed: (title, address) => `${title}, ${address}`,
  dated: (source, date) => `${source} (${date})`,
  documents: 'According to the company’s documents:',
  notInDocuments:
    'The company’s documents do not answer this question. If another document deals with it, add it, or ask in the words that it uses.',
  closest: (documents) => `What comes closest: ${documents}.`,
  page: (document, page) => `${document}, p. ${page}`,
};

const es: LookupPhrases = {
  accordingTo: (title, host) => `Según «${title}» (${host}):`,
  notOpened: 'No he abierto estas páginas; esto es lo que muestra de ellas la búsqueda:',
  noneAnswers: 'No he encontrado una respuesta directa a su pregunta. Esto es lo que más se acerca:',
  nothingFound: 'La búsqueda en la web no ha dado ningún resultado para esta pregunta.',
  notRead: (address, reason) => `No he podido leer ${address}. ${reason}`,
  sources: 'Fuentes',
  addressed: (title, address) => `${title}, ${address}`,
  dated: (source, date) => `${source} (${date})`,
  documents: 'Según los documentos de la entidad:',
  notInDocuments:
    'Los documentos de la entidad no responden a esta pregunta. Si otro documento trata de ello, añádalo, o pregunte con las palabras que emplea.',
  closest: (documents) => `Lo que más se acerca: ${documents}.`,
  page: (document, page) => `${document}, p. ${page}`,
};

const zhHant: LookupPhrases = {
  accordingTo: (title, host) => `根據「${title}」（${host}）：`,
  notOpened: '我沒有開啟這些網頁，以下是搜尋結果的摘錄：',
  noneAnswers: '我沒有找到直接的答案，以下是最接近的內容：',
  nothingFound: '網路搜尋沒有找到與這個問題相關的內容。',
  notRead: (address, reason) => `無法讀取 ${address}。${reason}`,
  sources: '資料來源',
  addressed: (title, address) => `${title}，${address}`,
  dated: (source, date) => `${source}（${date}）`,
  documents: '根據公司的文件：',
  notInDocuments:
    '公司的文件裡沒有提到這個問題的答案。若有其他文件談到，請上傳，或改用文件裡的用詞再問一次。',
  closest: (documents) => `最接近的是：${documents}。`,
  page: (document, page) => `${document} 第 ${page} 頁`,
};

export const lookupPhrases: Readonly<Record<Language, LookupPhrases>> = { fr, en, es, 'zh-Hant': zhHant };
