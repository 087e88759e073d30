import { fold } from '@palabre/lexical';

/** A word of a text, or a single character of a script without spaces. */
export interface Word {
  /** Folded. */
  text: string;
  written: string;
  /** Chinese, Japanese, Korean (whose particles follow without a space), Thai, Lao, Khmer or Burmese. */
  isCharacter: boolean;
  hasCapital: boolean;
  beginsSentence: boolean;
  /** An apostrophe and letters follow: Awa's, Elif'e. */
  hasApostrophe: boolean;
  /** The word follows the previous one directly. */
  isJoined: boolean;
}

const CHARACTER =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}' +
  '\\p{Script=Khmer}\\p{Script=Myanmar}ー々]\\p{M}*';

const TOKEN = new RegExp(`(${CHARACTER})|(?:(?!${CHARACTER})[\\p{L}\\p{N}\\p{M}])+`, 'gu');

/** Marks between words that begin a new sentence. Inverted marks stand before their sentence. */
const SENTENCE_BREAK = /[.!?…:;\n¿¡。!?「『"“«]/u;

const AN_ENDING_FOLLOWS = /^['’‘ʼ`´]\p{L}/u;

export function wordsOf(text: string): Word[] {
  const composed = text.normalize('NFC');
  let end = 0;
  return Array.from(composed.matchAll(TOKEN), ({ 0: written, 1: character, index }) => {
    const between = composed.slice(end, index);
    const beginsSentence = end === 0 || SENTENCE_BREAK.test(between);
    const isJoined = end > 0 && index === end;
    end = index + written.length;
    return {
      text: fold(written),
      written,
      isCharacter: character !== undefined,
      hasCapital: /^\p{Lu}/u.test(written),
      beginsSentence,
      hasApostrophe: AN_ENDING_FOLLOWS.test(composed.slice(end, end + 2)),
      isJoined,
    };
  });
}

/** The kinds of names, from the most to the least specific. */
export type NameKind = 'EMAIL' | 'FULL' | 'ALIAS' | 'LAST' | 'FIRST';

export interface Name {
  kind: NameKind;
  /** Empty for an e-mail address. */
  words: readonly Word[];
  /** A surname of one character, which is too common without a title: 王先生. */
  needsTitle?: true;
  /** In lower case. Only of the kind EMAIL. */
  email?: string;
}

const titles = new Set(
  'm mr mrs ms mme mlle miss dr prof sr sra srta don doña dona herr frau pan pani hr fr bay bayan sir'.split(
    ' ',
  ),
);

/** Words that a project's name may begin with and that people leave out. */
const kindsOfProject = new Set('projet project proyecto projekt progetto projeto proje programme'.split(' '));
const characterKinds =
  /^(?:專案|项目|項目|計畫|计划|プロジェクト)|(?:專案|项目|項目|計畫|计划|プロジェクト)$/u;

const SURNAMES_OF_TWO =
  /^(?:歐陽|欧阳|司馬|司马|上官|諸葛|诸葛|東方|东方|夏侯|皇甫|尉遲|尉迟|公孫|公孙|令狐)/u;

const MAX_ALIASES = 10;

/** Something that is found by its names. */
export interface Named {
  /** CONTACT: a person, whose name has parts. Others are things. */
  kind: string;
  subject: string;
  /** `email` and `aliases` count. */
  attributes: Readonly<Record<string, unknown>>;
}

/** The names of a person or thing, the most specific first. */
export function namesOf(memory: Named): Name[] {
  const subject = memory.subject.replace(/\s*[(（][^()（）]*[)）]\s*/gu, ' ').trim() || memory.subject;
  const aliases = [memory.attributes['aliases'] ?? []].flat().slice(0, MAX_ALIASES);
  const named: Name[] = [
    ...emailsOf(subject, memory.attributes['email']),
    ...(memory.kind === 'CONTACT' ? contactNames(subject) : projectNames(subject)),
    ...aliases.flatMap((alias) => (typeof alias === 'string' ? nameOf('ALIAS', wordsOf(alias)) : [])),
  ];
  return named;
}

const ADDRESS_CHARACTER = '[^\\s@<>(),;:"“”«»]';

// Matched against whole messages: the lookbehind and the length limits keep it from taking quadratic time.
const EMAIL = new RegExp(
  `(?<!${ADDRESS_CHARACTER})${ADDRESS_CHARACTER}{1,64}@${ADDRESS_CHARACTER}{1,255}\\.[\\p{L}\\p{N}-]{0,62}[\\p{L}\\p{N}]`,
  'gu',
);

/** The e-mail addresses in a text, in lower case, and the text without them. */
export function withoutEmails(text: string): { emails: string[]; rest: string } {
  const emails = new Set<string>();
  // A mark in its place, so that the words around it do not become neighbours.
  const rest = text.replace(EMAIL, (email) => {
    emails.add(email.toLowerCase());
    return ' ; ';
  });
  return { emails: [...emails], rest };
}

function emailsOf(...texts: unknown[]): Name[] {
  return texts.flatMap((text) =>
    typeof text === 'string'
      ? withoutEmails(text).emails.map((email): Name => ({ kind: 'EMAIL', words: [], email }))
      : [],
  );
}

function nameOf(kind: NameKind, words: readonly Word[]): Name[] {
  return words.length === 0 ? [] : [{ kind, words }];
}

function projectNames(subject: string): Name[] {
  const words = wordsOf(subject);
  const [first, ...others] = words;
  const short =
    first && kindsOfProject.has(first.text) ? others : wordsOf(subject.replace(characterKinds, ''));
  const isShorter = short.length < words.length && short.map(({ text }) => text).join('').length >= 3;
  return [...nameOf('FULL', words), ...(isShorter ? nameOf('ALIAS', short) : [])];
}

function contactNames(subject: string): Name[] {
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
}

/** First name first: "Dupont, Marie" is Marie Dupont. A name with a hyphen is one part of several words. */
function partsOf(subject: string): Word[][] {
  const [last = '', first] = subject.split(/[,，]/u, 2);
  const ordered = first?.trim() ? `${first} ${last}` : subject;
  return ordered
    .split(/[\s・·]+/u)
    .map(wordsOf)
    .filter((part) => part.length > 0);
}

/** 王小明 is 小明 to friends and 王先生 to others; 田中太郎 is 田中 or 太郎. A space separates family and given name. */
function characterNames(parts: readonly (readonly Word[])[]): Name[] {
  const words = parts.flat();
  const full = nameOf('FULL', words);
  const [family = [], given = []] = parts.length > 1 ? parts : split(words);
  const isFamilyShort = family.length === 1;
  return [
    ...full,
    ...nameOf('LAST', family).map((name) => (isFamilyShort ? { ...name, needsTitle: true as const } : name)),
    ...(given.length >= 2 && given.length < words.length ? nameOf('FIRST', given) : []),
  ];
}

function split(words: readonly Word[]): [Word[], Word[]] {
  const text = words.map(({ written }) => written).join('');
  const isHan = /^\p{Script=Han}+$/u.test(text);
  const isHangul = /^\p{Script=Hangul}+$/u.test(text);
  if (!(isHan && words.length >= 2 && words.length <= 4) && !(isHangul && words.length === 3))
    return [[], []];
  const surname = words.length === 4 || SURNAMES_OF_TWO.test(text) ? 2 : 1;
  return [words.slice(0, surname), words.slice(surname)];
}
