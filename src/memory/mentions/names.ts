import type { Memory } from '../memory.entity.js';
import { type Word, wordsOf } from './words.js';

/** How surely a name tells whom or what it means. */
export type NameKind = 'EMAIL' | 'FULL' | 'ALIAS' | 'LAST' | 'FIRST';

/** One way in which people call a project or a contact. */
export interface Name {
  kind: NameKind;
  /** An e-mail address has none. */
  words: readonly Word[];
  /** Only before a title, as one character is everywhere: 王先生. */
  needsTitle?: true;
  /** Folded; of kind EMAIL alone. */
  email?: string;
}

const titles = new Set(
  'm mr mrs ms mme mlle miss dr prof sr sra srta don doña dona herr frau pan pani hr fr bay bayan sir'.split(
    ' ',
  ),
);

/** What a project's name may begin with, and is left out of when it is spoken of. */
const kindsOfProject = new Set('projet project proyecto projekt progetto projeto proje programme'.split(' '));
const characterKinds =
  /^(?:專案|项目|項目|計畫|计划|プロジェクト)|(?:專案|项目|項目|計畫|计划|プロジェクト)$/u;

const SURNAMES_OF_TWO =
  /^(?:歐陽|欧阳|司馬|司马|上官|諸葛|诸葛|東方|东方|夏侯|皇甫|尉遲|尉迟|公孫|公孙|令狐)/u;

/** More than anybody has. */
const MOST_ALIASES = 10;

/** How a memory's project or contact is called, the surest first. */
export const namesOf = (memory: Pick<Memory, 'kind' | 'subject' | 'attributes'>): Name[] => {
  const subject = memory.subject.replace(/\s*[(（][^()（）]*[)）]\s*/gu, ' ').trim() || memory.subject;
  const aliases = [memory.attributes['aliases'] ?? []].flat().slice(0, MOST_ALIASES);
  const named: Name[] = [
    ...emailsOf(subject, memory.attributes['email']),
    ...(memory.kind === 'CONTACT' ? contactNames(subject) : projectNames(subject)),
    ...aliases.flatMap((alias) => (typeof alias === 'string' ? nameOf('ALIAS', wordsOf(alias)) : [])),
  ];
  return named;
};

const ADDRESS_CHARACTER = '[^\\s@<>(),;:"“”«»]';

// Looked for in whole messages: it begins where a word does, and has an end, or a long one would be read over and over.
const EMAIL = new RegExp(
  `(?<!${ADDRESS_CHARACTER})${ADDRESS_CHARACTER}{1,64}@${ADDRESS_CHARACTER}{1,255}\\.[\\p{L}\\p{N}-]{0,62}[\\p{L}\\p{N}]`,
  'gu',
);

/** The e-mail addresses in a text, folded, and the text without them. */
export const withoutEmails = (text: string): { emails: string[]; rest: string } => {
  const emails = new Set<string>();
  // A mark in its place: what stands on both sides of it are no neighbours.
  const rest = text.replace(EMAIL, (email) => {
    emails.add(email.toLowerCase());
    return ' ; ';
  });
  return { emails: [...emails], rest };
};

const emailsOf = (...texts: unknown[]): Name[] =>
  texts.flatMap((text) =>
    typeof text === 'string'
      ? withoutEmails(text).emails.map((email): Name => ({ kind: 'EMAIL', words: [], email }))
      : [],
  );

const nameOf = (kind: NameKind, words: readonly Word[]): Name[] =>
  words.length === 0 ? [] : [{ kind, words }];

const projectNames = (subject: string): Name[] => {
  const words = wordsOf(subject);
  const [first, ...others] = words;
  const short =
    first && kindsOfProject.has(first.text) ? others : wordsOf(subject.replace(characterKinds, ''));
  const isShorter = short.length < words.length && short.map(({ text }) => text).join('').length >= 3;
  return [...nameOf('FULL', words), ...(isShorter ? nameOf('ALIAS', short) : [])];
};

const contactNames = (subject: string): Name[] => {
  const { rest } = withoutEmails(subject);
  const parts = partsOf(rest.trim() || subject);
  const words = parts.flat();
  if (words.length > 0 && words.every(({ isCharacter }) => isCharacter)) return characterNames(parts);
  const [first] = parts;
  const last = parts.at(-1);
  const isTitled =
    first !== undefined && parts.length > 1 && titles.has(first.map(({ text }) => text).join(''));
  const own = isTitled ? parts.slice(1) : parts;
  if (own.length === 1) return nameOf(isTitled ? 'LAST' : 'FULL', own.flat());
  return [
    ...nameOf('FULL', own.flat()),
    ...(last ? nameOf('LAST', last) : []),
    ...nameOf('FIRST', own[0] ?? []),
  ];
};

/** First name first: "Dupont, Marie" is Marie Dupont. A name with a hyphen is one part of several words. */
const partsOf = (subject: string): Word[][] => {
  const [last = '', first] = subject.split(/[,，]/u, 2);
  const ordered = first?.trim() ? `${first} ${last}` : subject;
  return ordered
    .split(/[\s・·]+/u)
    .map(wordsOf)
    .filter((part) => part.length > 0);
};

/** 王小明 is 小明 to friends and 王先生 to others; 田中太郎 is 田中 or 太郎; with a blank, the parts say it themselves. */
const characterNames = (parts: readonly (readonly Word[])[]): Name[] => {
  const words = parts.flat();
  const full = nameOf('FULL', words);
  const [family = [], given = []] = parts.length > 1 ? parts : split(words);
  const isFamilyShort = family.length === 1;
  return [
    ...full,
    ...nameOf('LAST', family).map((name) => (isFamilyShort ? { ...name, needsTitle: true as const } : name)),
    ...(given.length >= 2 && given.length < words.length ? nameOf('FIRST', given) : []),
  ];
};

const split = (words: readonly Word[]): [Word[], Word[]] => {
  const text = words.map(({ written }) => written).join('');
  const isHan = /^\p{Script=Han}+$/u.test(text);
  const isHangul = /^\p{Script=Hangul}+$/u.test(text);
  if (!(isHan && words.length >= 2 && words.length <= 4) && !(isHangul && words.length === 3))
    return [[], []];
  const surname = words.length === 4 || SURNAMES_OF_TWO.test(text) ? 2 : 1;
  return [words.slice(0, surname), words.slice(surname)];
};
