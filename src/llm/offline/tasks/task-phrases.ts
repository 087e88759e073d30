import type { Language } from '../reading/words/language.js';

/** What is said in titles and summaries around the conversation's own words. */
export interface TaskPhrases {
  smallTalk: string;
  /** Of what would be too short to be a title. */
  question: (subject: string) => string;
  stated: (words: string) => string;
  asked: (words: string) => string;
  answered: (words: string, answer: string) => string;
  answer: (words: string) => string;
  open: (words: string) => string;
}

export const taskPhrases: Readonly<Record<Language, TaskPhrases>> = {
  fr: {
    smallTalk: 'Premiers échanges et présentation',
    question: (subject) => `Question posée : ${subject}`,
    stated: (words) => `La personne a indiqué : « ${words} »`,
    asked: (words) => `La personne a demandé : « ${words} »`,
    answered: (words, answer) => `À la question « ${words} », il a été répondu : ${answer}`,
    answer: (words) => `Il a été répondu : ${words}`,
    open: (words) => `Reste sans réponse : « ${words} »`,
  },
  en: {
    smallTalk: 'First words and introduction',
    question: (subject) => `A question: ${subject}`,
    stated: (words) => `The person stated: “${words}”`,
    asked: (words) => `The person asked: “${words}”`,
    answered: (words, answer) => `The question “${words}” was answered: ${answer}`,
    answer: (words) => `The answer was: ${words}`,
    open: (words) => `Still without an answer: “${words}”`,
  },
  es: {
    smallTalk: 'Primeras palabras y presentación',
    question: (subject) => `Una consulta: ${subject}`,
    stated: (words) => `La persona indicó: «${words}»`,
    asked: (words) => `La persona preguntó: «${words}»`,
    answered: (words, answer) => `A la pregunta «${words}» se respondió: ${answer}`,
    answer: (words) => `Se respondió: ${words}`,
    open: (words) => `Queda sin respuesta: «${words}»`,
  },
  'zh-Hant': {
    smallTalk: '初次問候與介紹',
    question: (subject) => `詢問：${subject}`,
    stated: (words) => `對方說明：「${words}」`,
    asked: (words) => `對方詢問：「${words}」`,
    answered: (words, answer) => `對於「${words}」，回答是：${answer}`,
    answer: (words) => `回答是：${words}`,
    open: (words) => `尚未得到回答：「${words}」`,
  },
};
