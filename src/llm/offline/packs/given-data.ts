import { fold, isHan, sameWord, tidy, wordsOf } from '../reading/words/fold.js';
import { stopWords } from '../reading/words/lexicon.js';
import { meaningsOf } from '../reading/words/meaning.js';
import { Subject } from '../reading/words/likeness.js';
import { salientWords } from '../reading/words/salient.js';

const longestTold = 140;
const mostWordsOfName = 4;

/** What an item of a list is called: what stands before its details. */
export const headOf = (item: string): string =>
  item
    .split(/[:：,，;；(（]/u)[0]
    ?.replace(/[.。*]+/g, '')
    .trim() ?? item;

/** «no sé el precio todavía», «el precio se fijará más adelante»: said not to be known. */
const open =
  /\b(?:no (?:lo |la )?(?:se|sabemos|consta)|(?:aun|todavia) no|no [^.]*\b(?:aun|todavia)|(?:por|sin) (?:decidir|fijar|determinar|confirmar)|pendientes? de|mas (?:tarde|adelante)|not yet|don't know|do not know|to be (?:decided|agreed)|pas encore|ne sais pas|plus tard)\b|還不知道|不知道|還沒|尚未|未定|待定/u;

/** The clauses of what was said, without questions and what is open. A comma or a full stop inside a number ends none. */
const clausesOf = (text: string): string[] =>
  tidy(text)
    .split(/(?<=[;!?\n。；，！？])|(?=[¿¡])|[.,](?=\s|$)/u)
    .map((clause) => clause.trim())
    .filter((clause) => !/[?？]$/u.test(clause))
    .map((clause) => clause.replace(/[;!。；，！]+$/u, '').replace(/^¡/, ''))
    .filter((clause) => clause !== '' && !(open.test(fold(clause)) && !/\d/.test(clause)))
    .flatMap(withBehindColon);

/** «Escritura de compraventa: vendedor Ana Ruiz» has what stands behind the colon as well. */
const withBehindColon = (clause: string): string[] => {
  const [, behind = ''] = /[:：]\s+(\S.*)$/u.exec(clause) ?? [];
  return behind === '' ? [clause] : [clause, behind];
};

const asks =
  /^(?:necesito|quiero|quisiera|redacta|prepara|i need|i want|j'ai besoin|je veux|il me faut|我需要|我想)/;

/** Whether a word is one of those that an item is called by, in whichever language. */
function names(head: Subject, word: string): boolean {
  const own = new Subject(word);
  return (
    [...own.keys].some((key) => head.keys.has(key)) ||
    own.words.some((each) => head.words.some((name) => sameWord(name, each))) ||
    own.pairs.some((pair) => head.pairs.includes(pair))
  );
}

/** «precio de 200.000 euros»: the name, at most three small words, and a figure. */
function figureIn(clause: string, head: Subject): string | null {
  const words = wordsOf(fold(clause));
  const at = words.findIndex(({ text }) => names(head, text));
  const rest = words.slice(at + 1, at + 1 + mostWordsOfName);
  const figure = at < 0 ? -1 : rest.findIndex(({ text }) => /^\d/.test(text));
  const small = rest
    .slice(0, Math.max(0, figure))
    .every(({ text }) => stopWords.has(text) || text.length < 4);
  const start = words[at]?.start ?? 0;
  return figure >= 0 && small ? clause.slice(start) : null;
}

/** «vendedora: Ana Ruiz», «el inmueble está en la calle Mayor»: the clause begins with the name and goes on. */
function statedIn(clause: string, head: Subject): string | null {
  if (asks.test(fold(clause))) return null;
  const [first, ...rest] = salientWords(clause);
  const begins =
    first !== undefined &&
    !/\d/.test(first.text) &&
    names(head, first.text.slice(0, isHan(first.text) ? 4 : undefined));
  const goesOn = rest.some(({ text }) => !names(head, text)) || /[:：]\s*\S/u.test(clause);
  return begins && goesOn ? clause : null;
}

const detail = /^(?:y |and |et )?(?:si|whether|if|quien|qui|who|tambien|aussi|also|en su caso)\b/;

/** What an item asks for, one by one: «vendedor y comprador» are two; «y si incluye garaje» is a detail of what stands before it. */
function partsOf(item: string): string[] {
  const [named = item] = item.split(/[:：;；(（]/u);
  const parts = named
    .split(/\s(?:y|e|et|and)\s(?!si\b)|[,，、和與]\s*(?:y |et |and )?(?!si\b)/u)
    .map((part) => part.trim());
  const end = parts.findIndex((part, at) => at > 0 && detail.test(fold(part)));
  return parts.slice(0, end < 0 ? undefined : end).filter((part) => part !== '');
}

/** The word, or the known expression, that something is called by. */
function calledBy(part: string): Subject {
  const [first] = salientWords(part);
  const known = meaningsOf(part).find((meaning) => meaning.known && meaning.start === first?.start);
  return new Subject(known ? part.slice(known.start, known.end) : (first?.text ?? ''));
}

/** What names its own value: «casada en gananciales» tells the marital status without calling it so. */
const valuesOf: ReadonlySet<string> = new Set(['marital']);

/** Not «Mario Casado», who is called so. */
const valueIn = (clause: string, head: Subject): string | null =>
  meaningsOf(clause).some(
    ({ key, start }) =>
      valuesOf.has(key) && head.keys.has(key) && (start === 0 || !/^\p{Lu}\p{Ll}/u.test(clause.slice(start))),
  )
    ? clause
    : null;

const paidFor = /(?<!\p{L})(?:por|for|pour)\s+[\d.,\s]*\d\s?(?:€|\$|eur\p{L}*)/iu;

/** «vende el piso por 250.000 €»: a price that is not called so. */
const priceIn = (clause: string, head: Subject): string | null =>
  head.keys.has('price') ? (paidFor.exec(clause)?.[0] ?? null) : null;

const condition = /^(?:si|whether|if)\b/;
const plainCondition = /^(?:si|whether|if) (?:se |it )?(?:es|esta|son|estan|hay|is|are|est|sont)\b/;

/**
 * The words that have to be named for «si es la vivienda habitual» and «si el prestatario es consumidor»: one of them
 * alone may be said of something else. Of alternatives, «arrendado u ocupado», one is enough.
 */
function conditionWords(part: string): Subject[] {
  const text = tidy(part);
  const [first, second] = salientWords(text);
  if (!first || !second || !condition.test(fold(text))) return [];
  const isOne = plainCondition.test(fold(text)) && text.slice(first.end, second.start).trim() !== '';
  return (isOne ? [first] : [first, second]).map((word) => new Subject(word.text));
}

function toldOf(part: string, clauses: readonly string[]): string | null {
  const head = calledBy(part);
  const needed = conditionWords(part);
  for (const clause of clauses) {
    const words = wordsOf(fold(clause));
    if (!needed.every((subject) => words.some(({ text }) => names(subject, text)))) continue;
    const told =
      figureIn(clause, head) ?? statedIn(clause, head) ?? valueIn(clause, head) ?? priceIn(clause, head);
    if (told !== null) return told.slice(0, longestTold).toWellFormed();
  }
  return null;
}

/** What a user gave of an item, in their own words, where that is plain; `isWhole`: all that it asks for. */
export interface Given {
  told: readonly string[];
  isWhole: boolean;
}

export function givenFor(item: string, said: readonly string[]): Given {
  const clauses = said.toReversed().flatMap(clausesOf);
  const parts = partsOf(item).map((part) => toldOf(part, clauses));
  return { told: parts.filter((told) => told !== null), isWhole: parts.every((told) => told !== null) };
}
