import { detectLanguage } from '../../../../common/text/text-language.js';
import { fold, tidy } from './fold.js';

export const languages = ['fr', 'en', 'es', 'zh-Hant'] as const;
/** The languages the offline model writes, BCP 47. */
export type Language = (typeof languages)[number];

const named: readonly (readonly [Language, string])[] = [
  ['fr', 'fr|francais|french|frances|法文|法語'],
  ['en', 'en|anglais|english|ingles|英文|英語'],
  ['es', 'es|espagnol|spanish|espanol|castellano|西班牙文|西班牙語'],
  [
    'zh-Hant',
    'zh-hant|zh-tw|zh|chinois traditionnel|traditional chinese|chino tradicional|繁體中文|正體中文|中文',
  ],
];
const nameToLanguage = new Map(
  named.flatMap(([language, names]) => names.split('|').map((name) => [name, language])),
);
const longestFirst = [...nameToLanguage.keys()].toSorted((a, b) => b.length - a.length);
const name = longestFirst.join('|');
// A bare code is no name here: the «en» of «réponds en français» is not English.
const fullName = longestFirst.filter((each) => each.length > 2 || /\p{Script=Han}/u.test(each)).join('|');

const statements: readonly RegExp[] = [
  // «Langue : fr», «語言：zh-Hant»
  new RegExp(
    `(?:langue|language|idioma|語言)[^\\n.:=]{0,40}[:=]\\s*["'\\x60(«*]*\\s*(?:en |in )?(${name})(?![a-z0-9])`,
  ),
  // «the language "es"», «la langue (fr)»
  new RegExp(`(?:langue|language|idioma|語言)[^\\n.]{0,30}["'\\x60(«]\\s*(${name})(?=\\s*["'\\x60)»])`),
  // «Réponds en français», «Answer in French», «請用繁體中文回答»
  new RegExp(
    `(?:repon|ecri|parle|redige|answer|reply|respon|write|speak|contesta|habla|用|以)[^\\n.]{0,40}?(${fullName})`,
  ),
];

/** The language that a text says to answer in; null: it says none. */
export function namedLanguage(text: string): Language | null {
  const folded = fold(tidy(text));
  for (const pattern of statements) {
    const match = pattern.exec(folded)?.[1];
    const language = match && nameToLanguage.get(match);
    if (language) return language;
  }
  return null;
}

/** The language an assistant answers in: named by its system prompt, else the prompt's own, else null. */
export const assistantLanguage = (systemPrompt: string): Language | null =>
  namedLanguage(systemPrompt) ?? detectLanguage(systemPrompt);
