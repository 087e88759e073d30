import { fold } from './fold.js';
import { asSimplified } from './simplified-chinese.js';

/**
 * Stop words: each language's pronouns, articles, prepositions, auxiliaries and question words. Folded, so that accents
 * need not be written.
 */
const lists = {
  en: `a about after again all also always am an and any anybody anyone anything are as at be because been before being
    between both but by can could did do does doing done during each else ever every few for from get gets getting give
    go goes going gone got had has have having he her here hers him his how i if in into is it its just kind know let
    like likely made make many may me might mine more most much must my name no nor not now of off on once one only or
    other our out over own please probably rather said same say says shall she should since so some somebody someone
    something still such tell than that the their them then there these they thing things this those through time to
    told too under until up us use very was we well went were what when where which while who whom whose why will with
    would yes yet you your`,
  fr: `a ai aient ainsi alors apres as au aucun aura aurait aussi autre autres aux avaient avait avant avec avez avoir
    avons bien ca car ce ceci cela celle celles celui ces cet cette ceux chaque chez ci comme comment d dans de depuis
    des dire dit doit donc dont du elle elles en encore entre es est et etaient etait ete etre eu eux fait faire faut
    fois font ici il ils j je l la laquelle le lequel les lesquels leur leurs lors lui m ma mais me meme mes moi moins
    mon n ne ni nos notre nous on ont or ou par parce pas pendant peut plus plutot pour pourquoi pu puis qu quand que
    quel quelle quelles quelque quelques quels qui quoi s sa sais sait sans se sera serait ses si son sont sous souvent
    sur t ta te tes toi ton tous tout toute toutes tres tu un une va vers veut voici voila vont vos votre vous y`,
  es: `a al algo alguien algun alguna algunas algunos antes aquel aquella aqui asi aun aunque bien cada como con contra
    cual cuales cuando cuanta cuantas cuanto cuantos de debe deberia deberian del desde despues dice dijo donde durante
    e el ella ellas ellos en entre era eran es esa esas ese eso esos esta estaba estan estar este esto estos fue fueron
    ha habia hace hacen hacer hacia han has hasta hay he hecho hizo la las le les lo los mas me mi mis mucho muy nada ni
    no nos nosotros o os otra otras otro otros para pero poco por porque puede pues que quien quienes se sea segun ser
    si sido sin sobre solo somos son soy su sus tal tambien tan tanto te tendra tener tengo ti tiene tienen todo todos
    tu tus un una unas uno unos va vez y ya yo`,
} as const;
type SpacedLanguage = keyof typeof lists;

const stopWords = new Map(
  Object.entries(lists).map(([language, words]) => [language as SpacedLanguage, new Set(words.split(/\s+/))]),
);

/** Chinese has no blanks between words: these are removed wherever they occur, the longest first. */
const CHINESE = `什麼時候 甚麼時候 为什么 為什麼 有沒有 是不是 怎麼樣 怎么样 多少 什麼 甚麼 什么 怎麼
  怎么 哪裡 哪里 哪個 哪些 哪天 幾時 何時 可能 最近 後來 我們 你們 他們 她們 這個 那個
  請問 是否 應該 一下 的 了 嗎 吗 呢 吧 啊 是 在 有 和 與 跟 也 都 就 又 很 會
  会 要 我 你 他 她 它 誰 谁 這 那 幾`
  .split(/\s+/)
  .flatMap((word) => [word, asSimplified(word)])
  .toSorted((a, b) => b.length - a.length);
const CHINESE_PATTERN = new RegExp(CHINESE.join('|'), 'g');

const HAN = /\p{sc=Han}/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * The question without stop words; the question itself if nothing else is left. A word of one language may be a stop word
 * of another, so only those of the question's own language are removed.
 */
export function contentWordsOf(question: string): string {
  return onlyContentWordsOf(question) || question;
}

/** The question without stop words; empty if nothing else is left. */
export function onlyContentWordsOf(question: string): string {
  const words = fold(question).match(WORD) ?? [];
  const known = mostUsed(words);
  const telling = words
    .filter((word) => !known?.has(word))
    .map((word) => (HAN.test(word) ? word.replaceAll(CHINESE_PATTERN, ' ') : word));
  return telling.join(' ').trim();
}

/** The stop word list with the most matches; null: no list has any. */
function mostUsed(words: readonly string[]): ReadonlySet<string> | null {
  let most = 0;
  let best: ReadonlySet<string> | null = null;
  for (const list of stopWords.values()) {
    const count = words.filter((word) => list.has(word)).length;
    if (count > most) [most, best] = [count, list];
  }
  return best;
}
