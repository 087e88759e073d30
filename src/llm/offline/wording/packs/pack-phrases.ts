import type { Language } from '../../reading/words/language.js';

/** What is said around instructions that were loaded, and of the catalogue that they are from. */
export interface PackPhrases {
  follows: (title: string, key: string) => string;
  given: string;
  /** `group`: how the instructions call what is asked for first. */
  needed: (group: string) => string;
  later: (count: number, groups: string) => string;
  allGiven: string;
  offersDraft: string;
  structure: (source: string) => string;
  /** Of a file that is no draft. */
  file: (source: string) => string;
  noStructure: string;
  gaps: string;
  cut: string;
  catalogue: string;
  emptyCatalogue: string;
  noCategory: string;
  howToAsk: string;
  noneFits: string;
  notLoaded: (reason: string) => string;
}

const fr: PackPhrases = {
  follows: (title, key) => `Je suis les consignes du mode opératoire « ${title} » (${key}).`,
  given: 'Vous m’avez déjà donné :',
  needed: (group) => `Pour avancer, il me manque (${group}) :`,
  later: (count, groups) => `Viendront ensuite ${count} autres points (${groups}).`,
  allGiven: 'Vous m’avez donné tout ce qu’il faut pour commencer.',
  offersDraft:
    'Pouvez-vous me donner ces éléments ? Je peux aussi vous montrer dès maintenant la structure du document.',
  structure: (source) => `Voici la structure, d’après ${source}. Ce qui manque reste entre crochets.`,
  file: (source) => `Voici ce que dit ${source} :`,
  noStructure: 'Les consignes ne donnent pas de structure.',
  gaps: 'Ce qui reste à compléter',
  cut: 'La suite est trop longue pour cette réponse.',
  catalogue: 'Voici les modes opératoires que je peux charger :',
  emptyCatalogue: 'Je n’ai aucun mode opératoire à charger.',
  noCategory: 'Sans catégorie',
  howToAsk: 'Dites-moi de quel document ou de quelle tâche il s’agit, et je charge celui qui convient.',
  noneFits: 'Aucun de mes modes opératoires ne correspond à cette demande.',
  notLoaded: (reason) => `Je n’ai pas pu charger les consignes : ${reason}`,
};

const en: PackPhrases = {
  follows: (title, key) => `I follow the instructions of the skill “${title}” (${key}).`,
  given: 'You have already given me:',
  needed: (group) => `To go on, I still need (${group}):`,
  later: (count, groups) => `${count} more points come after that (${groups}).`,
  allGiven: 'You have given me all that is needed to begin.',
  offersDraft: 'Can you give me these? I can also show you the structure of the document right away.',
  structure: (source) => `This is the structure, from ${source}. What is missing stays in brackets.`,
  file: (source) => `This is what ${source} says:`,
  noStructure: 'The instructions give no structure.',
  gaps: 'What is still to be filled in',
  cut: 'The rest is too long for this answer.',
  catalogue: 'These are the skills that I can load:',
  emptyCatalogue: 'I have no skill to load.',
  noCategory: 'No category',
  howToAsk: 'Tell me which document or task it is, and I load the one that fits.',
  noneFits: 'None of my skills fits this request.',
  notLoaded: (reason) => `I could not load the instructions: ${reason}`,
};

const es: PackPhrases = {
  follows: (title, key) => `Sigo las instrucciones de la habilidad «${title}» (${key}).`,
  given: 'Ya me ha dado:',
  needed: (group) => `Para avanzar me falta (${group}):`,
  later: (count, groups) => `Después vendrán otros ${count} puntos (${groups}).`,
  allGiven: 'Ya me ha dado todo lo necesario para empezar.',
  offersDraft: '¿Puede darme estos datos? Si lo prefiere, le muestro ya la estructura del borrador.',
  structure: (source) => `Esta es la estructura, según ${source}. Lo que falta queda entre corchetes.`,
  file: (source) => `Esto es lo que dice ${source}:`,
  noStructure: 'Las instrucciones no dan ninguna estructura.',
  gaps: 'Huecos pendientes',
  cut: 'El resto es demasiado largo para esta respuesta.',
  catalogue: 'Estas son las habilidades que puedo cargar:',
  emptyCatalogue: 'No tengo ninguna habilidad que cargar.',
  noCategory: 'Sin categoría',
  howToAsk: 'Dígame de qué documento o tarea se trata y cargo la que corresponda.',
  noneFits: 'Ninguna de mis habilidades encaja con esta petición.',
  notLoaded: (reason) => `No he podido cargar las instrucciones: ${reason}`,
};

const zhHant: PackPhrases = {
  follows: (title, key) => `我依照作業指引「${title}」（${key}）處理。`,
  given: '您已經提供：',
  needed: (group) => `接下來還需要（${group}）：`,
  later: (count, groups) => `之後還有 ${count} 項（${groups}）。`,
  allGiven: '開始所需的資料您都已提供。',
  offersDraft: '可以請您提供這些資料嗎？我也可以先給您看文件的架構。',
  structure: (source) => `以下是架構，依據${source}，缺少的部分保留在方括號內。`,
  file: (source) => `${source} 的內容如下：`,
  noStructure: '指引裡沒有文件架構。',
  gaps: '仍待補充',
  cut: '其餘部分太長，無法放進這則回覆。',
  catalogue: '我可以載入的作業指引如下：',
  emptyCatalogue: '我沒有可以載入的作業指引。',
  noCategory: '未分類',
  howToAsk: '請告訴我是哪一種文件或工作，我會載入合適的指引。',
  noneFits: '我的作業指引都不符合這個需求。',
  notLoaded: (reason) => `無法載入指引：${reason}`,
};

export const packPhrases: Readonly<Record<Language, PackPhrases>> = { fr, en, es, 'zh-Hant': zhHant };
