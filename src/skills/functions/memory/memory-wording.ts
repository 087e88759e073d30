import { inLanguage } from '../../../common/text/in-language.js';
import type { MemoryKind, Memory } from '../../../memory/memory.entity.js';
import type { RefusedContent } from '../../../memory/refused-content.js';
import type { Calendar } from '../../../common/calendar.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { JsonObject } from '../../../common/json.js';
import { SkillError } from '../../skill.js';

/** All that the memory skills say to people in one language. */
interface MemoryWording {
  /** `subject` and `content` as they were noted. */
  remembered(subject: string, content: string): string;
  /** What was noted took the place of another note, since `date`. */
  replaced(content: string, date: string): string;
  alreadyRemembered(subject: string, content: string): string;
  refused: Readonly<Record<RefusedContent, string>>;
  recalled(memories: number, excerpts: number): string;
  nothingRecalled: string;
  /** Adds to a summary that notes are left out. */
  notAll(summary: string): string;
  /** Does not tell what it was: results are kept. */
  forgotten: Readonly<Record<MemoryKind, string>>;
  /** Several notes may be meant. */
  whichOne(count: number): string;
  nothingToForget: string;
  sharedIsForAdmins: string;
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

const english: MemoryWording = {
  remembered: (subject, content) => `Noted – ${subject}: ${content}`,
  replaced: (content, date) => `This took the place of “${content}” of ${date}.`,
  alreadyRemembered: (subject, content) => `Noted already – ${subject}: ${content}`,
  refused: {
    SECRET:
      'Passwords, keys, codes and the numbers of cards and accounts are not kept in the memory: a password manager is the place for them.',
    SENSITIVE:
      'Other people’s health, beliefs, opinions, private life or origin are not kept in the memory: they have not been asked.',
  },
  recalled: (memories, excerpts) =>
    `Found: ${counted(memories, 'note', 'notes')}, ${counted(excerpts, 'excerpt', 'excerpts')} of earlier conversations.`,
  nothingRecalled: 'Nothing was noted about this.',
  notAll: (summary) => `${summary} Not all notes are shown: a narrower topic, kind or time finds others.`,
  forgotten: {
    PREFERENCE: 'Forgotten: a preference.',
    PROJECT: 'Forgotten: a project.',
    CONTACT: 'Forgotten: a contact.',
    FACT: 'Forgotten: a note.',
  },
  whichOne: (count) => `${counted(count, 'note', 'notes')} may be meant. Which one is to be forgotten?`,
  nothingToForget: 'Nothing was noted under this subject.',
  sharedIsForAdmins: 'This note is the whole company’s: only an admin can have it forgotten.',
};

const french: MemoryWording = {
  remembered: (subject, content) => `C’est noté – ${subject} : ${content}`,
  replaced: (content, date) => `Cela remplace « ${content} », du ${date}.`,
  alreadyRemembered: (subject, content) => `C’était déjà noté – ${subject} : ${content}`,
  refused: {
    SECRET:
      'Les mots de passe, clés, codes et numéros de carte ou de compte ne sont pas gardés en mémoire : leur place est dans un gestionnaire de mots de passe.',
    SENSITIVE:
      'La santé, les croyances, les opinions, la vie privée ou l’origine d’autres personnes ne sont pas gardées en mémoire : on ne leur a pas demandé leur avis.',
  },
  recalled: (memories, excerpts) =>
    `Trouvé : ${counted(memories, 'note', 'notes')}, ${counted(excerpts, 'extrait', 'extraits')} de conversations précédentes.`,
  nothingRecalled: 'Rien n’est noté là-dessus.',
  notAll: (summary) =>
    `${summary} Toutes les notes n’y sont pas : un sujet, un type ou des dates plus précis en trouvent d’autres.`,
  forgotten: {
    PREFERENCE: 'Oublié : une préférence.',
    PROJECT: 'Oublié : un projet.',
    CONTACT: 'Oublié : un contact.',
    FACT: 'Oublié : une note.',
  },
  whichOne: (count) =>
    `${counted(count, 'note peut', 'notes peuvent')} correspondre. Laquelle faut-il oublier ?`,
  nothingToForget: 'Rien n’est noté sous ce sujet.',
  sharedIsForAdmins:
    'Cette note est commune à toute l’entreprise : seul un administrateur peut la faire oublier.',
};

const spanish: MemoryWording = {
  remembered: (subject, content) => `Anotado – ${subject}: ${content}`,
  replaced: (content, date) => `Sustituye a «${content}», del ${date}.`,
  alreadyRemembered: (subject, content) => `Ya estaba anotado – ${subject}: ${content}`,
  refused: {
    SECRET:
      'Las contraseñas, las claves, los códigos y los números de tarjeta o de cuenta no se guardan en la memoria: su lugar es un gestor de contraseñas.',
    SENSITIVE:
      'La salud, las creencias, las opiniones, la vida privada o el origen de otras personas no se guardan en la memoria: no se les ha preguntado.',
  },
  recalled: (memories, excerpts) =>
    `Encontrado: ${counted(memories, 'nota', 'notas')}, ${counted(excerpts, 'fragmento', 'fragmentos')} de conversaciones anteriores.`,
  nothingRecalled: 'No hay nada anotado sobre esto.',
  notAll: (summary) =>
    `${summary} No están todas las notas: con un asunto, un tipo o unas fechas más precisos se encuentran otras.`,
  forgotten: {
    PREFERENCE: 'Olvidado: una preferencia.',
    PROJECT: 'Olvidado: un proyecto.',
    CONTACT: 'Olvidado: un contacto.',
    FACT: 'Olvidado: una nota.',
  },
  whichOne: (count) => `${counted(count, 'nota puede', 'notas pueden')} corresponder. ¿Cuál hay que olvidar?`,
  nothingToForget: 'No hay nada anotado con este asunto.',
  sharedIsForAdmins: 'Esta nota es de toda la empresa: solo un administrador puede hacer que se olvide.',
};

const traditionalChinese: MemoryWording = {
  remembered: (subject, content) => `已記下——${subject}：${content}`,
  replaced: (content, date) => `取代了 ${date} 的「${content}」。`,
  alreadyRemembered: (subject, content) => `先前已經記下——${subject}：${content}`,
  refused: {
    SECRET: '密碼、金鑰、驗證碼、卡號與帳號不會存入記憶，請改用密碼管理工具保存。',
    SENSITIVE: '他人的健康、信仰、政治意見、私生活或族裔不會存入記憶：當事人並未同意。',
  },
  recalled: (memories, excerpts) => `找到 ${memories} 則筆記、${excerpts} 段先前的對話。`,
  nothingRecalled: '沒有記下相關的內容。',
  notAll: (summary) => `${summary}未列出全部筆記：以更明確的主題、類別或日期可查到其他筆記。`,
  forgotten: {
    PREFERENCE: '已忘記一項偏好。',
    PROJECT: '已忘記一個專案。',
    CONTACT: '已忘記一位聯絡人。',
    FACT: '已忘記一則筆記。',
  },
  whichOne: (count) => `有 ${count} 則筆記可能符合，要忘記哪一則？`,
  nothingToForget: '沒有以此為主題的筆記。',
  sharedIsForAdmins: '這則筆記由全公司共用，只有管理員可以將它忘記。',
};

/** The wording of a BCP 47 language; English for one that is not there. */
export const memoryWordingOf = inLanguage<MemoryWording>({
  en: english,
  fr: french,
  es: spanish,
  zh: traditionalChinese,
});

/** A memory as a model is told of it. */
export function memoryForModel(
  { id, ownerId, kind, subject, content, attributes, validFrom }: Memory,
  calendar: Calendar,
): JsonObject {
  return {
    id,
    kind,
    subject,
    content,
    ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
    since: calendar.dayOf(validFrom),
    ...(ownerId === null ? { shared: true } : {}),
  };
}

/** The day that a Date says in UTC, for people, in a BCP 47 language. */
export function dayInWords(day: Date, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(day);
}

const repairable: ReadonlySet<string> = new Set(['BAD_USER_INPUT', 'CONFLICT', 'FORBIDDEN', 'NOT_FOUND']);

/** The model is told only of errors that it can correct. */
export async function explainToModel<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || !repairable.has(error.code)) throw error;
    const { path } = error.extensions;
    const [, ...argument] = Array.isArray(path) ? path.map(String) : [];
    const where = argument.length > 0 ? `${argument.join('.')}: ` : '';
    throw new SkillError(`${where}${error.message}`, { cause: error });
  }
}
