import type { Language } from '../../reading/words/language.js';

/** What is said around what is remembered. */
export interface MemoryPhrases {
  noted: (content: string) => string;
  notedAlready: (content: string) => string;
  replaced: (content: string, day: string | null) => string;
  notNoted: (reason: string) => string;
  forgotten: string;
  /** Before what still tells of it. */
  forgottenInPart: string;
  nothingToForget: string;
  whichOne: string;
  notForgotten: (reason: string) => string;
  oneAtATime: string;
  /** Of what was said without an order to note it, where it cannot be noted. */
  understood: string;
  cannotNote: string;
  cannotForget: string;
  nothingNoted: string;
  notRecalled: (reason: string) => string;
  asNoted: (content: string, day: string | null) => string;
  /** The e-mail address of a contact. */
  email: (name: string, email: string, day: string | null) => string;
  phone: (name: string, phone: string, day: string | null) => string;
  company: (name: string, company: string, day: string | null) => string;
  all: string;
  /** After `all`, where some is left out. */
  hasMore: string;
  several: string;
  since: (day: string) => string;
  saidOn: (day: string) => string;
  saidBefore: string;
  today: (day: string) => string;
  colon: string;
  separator: string;
  attributes: Readonly<Record<string, string>>;
}

const onDay = (before: string, day: string | null, after = ''): string =>
  day === null ? '' : `${before}${day}${after}`;

const fr: MemoryPhrases = {
  noted: (content) => `C'est noté : « ${content} »`,
  notedAlready: (content) => `C'était déjà noté : « ${content} »`,
  replaced: (content, day) => `Cela remplace ce que j'avais noté${onDay(' le ', day)} : « ${content} »`,
  notNoted: (reason) => `Je ne l'ai pas noté. ${reason}`,
  forgotten: "C'est oublié : il n'en reste rien dans ma mémoire.",
  forgottenInPart: "C'est oublié, mais ceci en parle encore dans ma mémoire. Que dois-je oublier aussi ?",
  nothingToForget: "Il n'y a rien à oublier : je n'ai rien noté là-dessus.",
  whichOne: "Je n'ai encore rien effacé. Lequel de ces souvenirs dois-je oublier ?",
  notForgotten: (reason) => `Je ne l'ai pas oublié. ${reason}`,
  oneAtATime:
    "Je n'oublie qu'un souvenir à la fois, pour ne rien effacer par erreur. Demandez-moi d'abord ce que je sais de vous, puis dites-moi quoi oublier.",
  understood: "C'est entendu.",
  cannotNote: "Je ne peux rien noter pour le moment : l'outil qui garde les souvenirs n'est pas actif.",
  cannotForget: "Je ne peux rien effacer pour le moment : l'outil qui oublie les souvenirs n'est pas actif.",
  nothingNoted: "Je n'ai rien noté là-dessus. Dites-moi ce que je dois retenir et je m'en servirai.",
  notRecalled: (reason) => `Je n'ai pas pu chercher dans mes souvenirs. ${reason}`,
  asNoted: (content, day) => `D'après ce que j'ai noté${onDay(' le ', day)} : « ${content} »`,
  email: (name, email, day) => `L'adresse de ${name} est ${email}${onDay(' (notée le ', day, ')')}.`,
  phone: (name, phone, day) => `Le numéro de ${name} est le ${phone}${onDay(' (noté le ', day, ')')}.`,
  company: (name, company, day) => `${name} travaille chez ${company}${onDay(' (noté le ', day, ')')}.`,
  all: 'Voici ce que je sais de vous :',
  hasMore: "Ce n'est pas tout : donnez-moi un sujet ou une période et je chercherai le reste.",
  several: "Voici ce que j'ai noté là-dessus :",
  since: (day) => `noté le ${day}`,
  saidOn: (day) => `Le ${day} :`,
  today: (day) => `Nous sommes le ${day}.`,
  saidBefore: 'Dans une conversation précédente :',
  colon: ' : ',
  separator: ' ; ',
  attributes: {
    status: 'état',
    description: 'description',
    client: 'client',
    company: 'entreprise',
    email: 'e-mail',
    phone: 'téléphone',
    notes: 'notes',
    aliases: 'aussi appelé',
  },
};

const en: MemoryPhrases = {
  noted: (content) => `Noted: “${content}”`,
  notedAlready: (content) => `That was noted already: “${content}”`,
  replaced: (content, day) => `This takes the place of what I noted${onDay(' on ', day)}: “${content}”`,
  notNoted: (reason) => `I did not note it. ${reason}`,
  forgotten: 'Forgotten: nothing of it is left in my memory.',
  forgottenInPart: 'Forgotten, but this in my memory still tells of it. Which of it am I to forget as well?',
  nothingToForget: 'There is nothing to forget: I have noted nothing about that.',
  whichOne: 'I have not erased anything yet. Which of these am I to forget?',
  notForgotten: (reason) => `I did not forget it. ${reason}`,
  oneAtATime:
    'I forget one thing at a time, so that nothing is erased by mistake. Ask me first what I know about you, then tell me what to forget.',
  understood: 'Understood.',
  cannotNote: 'I cannot note anything at the moment: the tool that keeps memories is not active.',
  cannotForget: 'I cannot erase anything at the moment: the tool that forgets memories is not active.',
  nothingNoted: 'I have noted nothing about that. Tell me what to remember and I will make use of it.',
  notRecalled: (reason) => `I could not look in my memory. ${reason}`,
  asNoted: (content, day) => `By what I noted${onDay(' on ', day)}: “${content}”`,
  email: (name, email, day) => `The address of ${name} is ${email}${onDay(' (noted on ', day, ')')}.`,
  phone: (name, phone, day) => `The number of ${name} is ${phone}${onDay(' (noted on ', day, ')')}.`,
  company: (name, company, day) => `${name} works at ${company}${onDay(' (noted on ', day, ')')}.`,
  all: 'This is what I know about you:',
  hasMore: 'This is not all: give me a topic or a time and I will look for the rest.',
  several: 'This is what I noted about it:',
  since: (day) => `noted on ${day}`,
  saidOn: (day) => `On ${day}:`,
  today: (day) => `Today is ${day}.`,
  saidBefore: 'In an earlier conversation:',
  colon: ': ',
  separator: '; ',
  attributes: {
    status: 'status',
    description: 'description',
    client: 'client',
    company: 'company',
    email: 'e-mail',
    phone: 'phone',
    notes: 'notes',
    aliases: 'also called',
  },
};

const es: MemoryPhrases = {
  noted: (content) => `Anotado: «${content}»`,
  notedAlready: (content) => `Ya estaba anotado: «${content}»`,
  replaced: (content, day) => `Sustituye a lo que había anotado${onDay(' el ', day)}: «${content}»`,
  notNoted: (reason) => `No lo he anotado. ${reason}`,
  forgotten: 'Olvidado: no queda nada de ello en mi memoria.',
  forgottenInPart: 'Olvidado, pero esto en mi memoria aún habla de ello. ¿Qué más debo olvidar?',
  nothingToForget: 'No hay nada que olvidar: no tengo nada anotado sobre eso.',
  whichOne: 'Todavía no he borrado nada. ¿Cuál de estos recuerdos debo olvidar?',
  notForgotten: (reason) => `No lo he olvidado. ${reason}`,
  oneAtATime:
    'Olvido los recuerdos de uno en uno, para no borrar nada por error. Pregúnteme primero qué sé de usted y dígame después qué debo olvidar.',
  understood: 'Entendido.',
  cannotNote: 'Ahora mismo no puedo anotar nada: la herramienta que guarda los recuerdos no está activa.',
  cannotForget: 'Ahora mismo no puedo borrar nada: la herramienta que olvida los recuerdos no está activa.',
  nothingNoted: 'No tengo nada anotado sobre eso. Dígame qué debo recordar y lo tendré en cuenta.',
  notRecalled: (reason) => `No he podido buscar en mis recuerdos. ${reason}`,
  asNoted: (content, day) => `Según lo que anoté${onDay(' el ', day)}: «${content}»`,
  email: (name, email, day) => `La dirección de ${name} es ${email}${onDay(' (anotada el ', day, ')')}.`,
  phone: (name, phone, day) => `El número de ${name} es ${phone}${onDay(' (anotado el ', day, ')')}.`,
  company: (name, company, day) => `${name} trabaja en ${company}${onDay(' (anotado el ', day, ')')}.`,
  all: 'Esto es lo que sé de usted:',
  hasMore: 'No es todo: deme un tema o un periodo y buscaré lo demás.',
  several: 'Esto es lo que tengo anotado al respecto:',
  since: (day) => `anotado el ${day}`,
  saidOn: (day) => `El ${day}:`,
  today: (day) => `Hoy es ${day}.`,
  saidBefore: 'En una conversación anterior:',
  colon: ': ',
  separator: '; ',
  attributes: {
    status: 'estado',
    description: 'descripción',
    client: 'cliente',
    company: 'empresa',
    email: 'correo',
    phone: 'teléfono',
    notes: 'notas',
    aliases: 'también llamado',
  },
};

const zhHant: MemoryPhrases = {
  noted: (content) => `記下了：「${content}」`,
  notedAlready: (content) => `先前已經記下：「${content}」`,
  replaced: (content, day) => `這取代了我${onDay('在', day)}記下的：「${content}」`,
  notNoted: (reason) => `我沒有記下。${reason}`,
  forgotten: '已經忘記，記憶裡不再留有這件事。',
  forgottenInPart: '已經忘記，但記憶裡還有以下提到這件事的內容。還要忘記哪一則？',
  nothingToForget: '沒有需要忘記的：我沒有記下這方面的內容。',
  whichOne: '我還沒有刪除任何內容。要忘記哪一則？',
  notForgotten: (reason) => `我沒有忘記。${reason}`,
  oneAtATime: '為了避免誤刪，我一次只忘記一件事。請先問我知道您的哪些事，再告訴我要忘記什麼。',
  understood: '明白了。',
  cannotNote: '目前無法記下任何內容：保存記憶的工具沒有啟用。',
  cannotForget: '目前無法刪除任何內容：忘記記憶的工具沒有啟用。',
  nothingNoted: '我沒有記下這方面的內容。請告訴我要記住什麼，之後我就會用上。',
  notRecalled: (reason) => `無法查詢記憶。${reason}`,
  asNoted: (content, day) => `根據我${onDay('在', day)}記下的內容：「${content}」`,
  email: (name, email, day) => `${name}的電子郵件是 ${email}${onDay('（記於', day, '）')}。`,
  phone: (name, phone, day) => `${name}的電話是 ${phone}${onDay('（記於', day, '）')}。`,
  company: (name, company, day) => `${name}在${company}工作${onDay('（記於', day, '）')}。`,
  all: '這是我所知道關於您的事：',
  hasMore: '以上並非全部：請告訴我主題或期間，我再查其餘內容。',
  several: '這是我記下的相關內容：',
  since: (day) => `記於${day}`,
  saidOn: (day) => `${day}：`,
  today: (day) => `今天是${day}。`,
  saidBefore: '在先前的對話裡：',
  colon: '：',
  separator: '；',
  attributes: {
    status: '狀態',
    description: '說明',
    client: '客戶',
    company: '公司',
    email: '電子郵件',
    phone: '電話',
    notes: '備註',
    aliases: '又稱',
  },
};

export const memoryPhrases: Readonly<Record<Language, MemoryPhrases>> = { fr, en, es, 'zh-Hant': zhHant };
