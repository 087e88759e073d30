import { fold, tidy, wordsOf } from './fold.js';

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

const functionWords: Readonly<Record<Exclude<Language, 'zh-Hant'>, ReadonlySet<string>>> = {
  fr: new Set(
    'le la les des du un une et est vous nous pour dans avec sur que qui ne pas au aux ce cette tu es ses leur votre notre quel quelle sont etre mon ma mes je il elle bonjour en moi toujours'.split(
      ' ',
    ),
  ),
  en: new Set(
    'the a an and is are you we for in with on that which not of to this these your our what how be have has it my i he she hello do does'.split(
      ' ',
    ),
  ),
  es: new Set(
    'el la los las del un una y es usted nosotros para en con sobre que quien no al este esta tu sus su nuestra nuestro cual son ser eres como mi mis yo hola cuanto por lo se'.split(
      ' ',
    ),
  ),
};

interface Told {
  language: Language;
  /** How many of its function words a text has. */
  count: number;
  /** How many the next language has. */
  next: number;
}

function countedIn(text: string): Told | null {
  const whole = tidy(text);
  // «à Dakar» has no English «a».
  const words = wordsOf(fold(whole)).filter(({ start, end }) => !/^à$/iu.test(whole.slice(start, end)));
  const counts = Object.entries(functionWords).map(([language, set]) => ({
    language: language as Language,
    count: words.filter((word) => set.has(word.text)).length,
  }));
  const [first, second] = counts.toSorted((a, b) => b.count - a.count);
  return first && second ? { ...first, next: second.count } : null;
}

const isHanText = (text: string): boolean => {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return han > 0 && han * 3 > latin;
};

/** The language a text is written in, by its script and function words; null when nothing tells. */
export function detectLanguage(text: string): Language | null {
  if (isHanText(text)) return 'zh-Hant';
  const told = countedIn(text);
  return told && told.count > told.next ? told.language : null;
}

const enoughWords = 2;

/** The language a text is plainly written in: no single word tells it, and no other comes near; null: not plain. */
export function plainLanguage(text: string): Language | null {
  if (isHanText(text)) return 'zh-Hant';
  const told = countedIn(text);
  return told && told.count >= enoughWords && told.count >= 2 * told.next ? told.language : null;
}

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
