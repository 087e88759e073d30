import { fold } from '@palabre/lexical';

/** The languages that can be detected, BCP 47. */
type TextLanguage = 'fr' | 'en' | 'es' | 'zh-Hant';

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

const functionWords: Readonly<Record<Exclude<TextLanguage, 'zh-Hant'>, ReadonlySet<string>>> = {
  fr: wordSet(
    'le la les des du un une et est vous nous pour dans avec sur que qui ne pas au aux ce cette tu es ses leur votre notre quel quelle sont etre mon ma mes je il elle bonjour en moi toujours ' +
      // Elisions, and words that other languages have too: «on a», «n’ai», «qu’on», «son mail».
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
  /** The number of its function words in the text. */
  count: number;
  /** The number for the second-best language. */
  next: number;
}

function countedIn(text: string): Told | null {
  const words = (text.normalize('NFC').replaceAll('ʼ', "'").match(word) ?? [])
    // Without its accent, the «à» of «à Dakar» would count as English.
    .filter((each) => !/^à$/iu.test(each))
    .map((each) => fold(each));
  const counts = Object.entries(functionWords).map(([language, set]) => ({
    language: language as TextLanguage,
    count: words.filter((each) => set.has(each)).length,
  }));
  const [first, second] = counts.toSorted((a, b) => b.count - a.count);
  return first && second ? { ...first, next: second.count } : null;
}

function isHanText(text: string): boolean {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return han > 0 && han * 3 > latin;
}

/** Null: unknown. */
export function detectLanguage(text: string): TextLanguage | null {
  if (isHanText(text)) return 'zh-Hant';
  const told = countedIn(text);
  return told && told.count > told.next ? told.language : null;
}
