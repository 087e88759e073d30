import { withoutAccents } from './folded-text.js';

/** What a text can be told to be written in, BCP 47. */
export type TextLanguage = 'fr' | 'en' | 'es' | 'zh-Hant';

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const functionWords: Readonly<Record<Exclude<TextLanguage, 'zh-Hant'>, ReadonlySet<string>>> = {
  fr: wordSet(
    'le la les des du un une et est vous nous pour dans avec sur que qui ne pas au aux ce cette tu es ses leur votre notre quel quelle sont etre mon ma mes je il elle bonjour en moi toujours ' +
      // Of elisions and of words that are written alike elsewhere: «on a», «n’ai», «qu’on», «son mail».
      'on a pas n l qu j son sa ca',
  ),
  en: wordSet(
    'the a an and is are you we for in with on that which not of to this these your our what how be have has it my i he she hello do does from please can',
  ),
  es: wordSet(
    'el la los las del un una y es usted nosotros para en con sobre que quien no al este esta tu sus su nuestra nuestro cual son ser eres como mi mis yo hola cuanto por lo se a',
  ),
};

const word = /(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu;

interface Told {
  language: TextLanguage;
  /** How many of its function words a text has. */
  count: number;
  /** How many the next language has. */
  next: number;
}

function countedIn(text: string): Told | null {
  const words = (text.normalize('NFC').replaceAll('ʼ', "'").match(word) ?? [])
    // «à Dakar» has no English «a».
    .filter((each) => !/^à$/iu.test(each))
    .map((each) => withoutAccents(each).toLowerCase());
  const counts = Object.entries(functionWords).map(([language, set]) => ({
    language: language as TextLanguage,
    count: words.filter((each) => set.has(each)).length,
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
export function detectLanguage(text: string): TextLanguage | null {
  if (isHanText(text)) return 'zh-Hant';
  const told = countedIn(text);
  return told && told.count > told.next ? told.language : null;
}

const enoughWords = 2;

/** The language a text is plainly written in: no single word tells it, and no other comes near; null: not plain. */
export function plainLanguage(text: string): TextLanguage | null {
  if (isHanText(text)) return 'zh-Hant';
  const told = countedIn(text);
  return told && told.count >= enoughWords && told.count >= 2 * told.next ? told.language : null;
}
