import { measuresIn } from './arguments/amounts/measures.js';
import { wordsOf } from './reading/words/fold.js';
import { stopWords } from './reading/words/lexicon.js';
import type { Meaning } from './reading/words/meaning.js';
import { read, type Reading, subjectsOf } from './reading/read.js';

const asking =
  /[?？]\s*$|^\W*(?:qu(?:el|elle|els|elles|i|oi|and|e|'est)\b|ou\b|combien|comment|pourquoi|est-ce|c(?:'est)? (?:qu?oi|koi|qui|ki|quand|combien|ou)\b|dis-moi (?:qu\w|ou\b|comb|comm)|what|which|who|where|when|why|how|do|does|did|is|are|can|could|cual|que\b|quien|donde|cuando|cuant|como\b|por que|puedes|peux|pouvez)|什麼|多少|如何|怎麼|嗎|哪/;
const supposing = /\b(?:si (?:nous|on|j'|je)|if (?:we|i|our)|si (?:consum|us|gast|ten)\w+)\b/;
const firstPerson =
  /\b(?:nous|notre|nos|mon|ma|mes|on a|j'ai|je|we|our|my|i|nuestr[oa]s?|mi|mis|tenemos|somos|estamos|facturamos|empleamos|trabajamos|nos llamamos)\b|我們|我的|本公司/;
/** «We need …», «nous cherchons …»: says what is wanted, and nothing of what is. */
const wanting =
  /\b(?:(?:i|we)(?: are|'re|'m)? (?:need|want|looking for|look for)|(?:j'ai|nous avons|on a) besoin|(?:je|nous|on) (?:cherch\w+|veux|voudr\w+)|il (?:me|nous) faut|necesit\w+|busco|buscamos|quiero|quisiera)\b|需要|想要|正在尋找/;
const defining =
  /^\W*(?:qu'est-ce qu|c'est quoi|que signifie|que veut dire|explique|definis|what (?:is|are) (?:a |an )?[\w -]+\?|what does .* mean|what's (?:a|an) |define |explain |que es |que son |que significa|explica|什麼是|何謂)|\b(?:difference|rapport|lien|relation|relationship|diferencia|relacion) (?:entre|between)\b|的差別|的關係/;
const ownAffairs = /\b(?:mon|ma|mes|notre|nos|my|our|mi|mis|nuestr[oa]s?)\b|我們|我的|本公司/;

const ordering = new Set(['calculate', 'show', 'search', 'summarise', 'translate']);

/** One sentence of a question, read. */
export interface Sentence {
  reading: Reading;
  /** What it speaks of, besides places, days and amounts. */
  subjects: readonly Meaning[];
  kind: 'QUESTION' | 'STATEMENT' | 'OTHER';
  /** States amounts of something used. */
  measures: boolean;
}

export function toSentence(text: string): Sentence {
  const reading = read(text);
  const measures = measuresIn(reading).length > 0;
  return { reading, subjects: subjectsOf(reading), kind: kindOf(reading), measures };
}

function kindOf({ folded, meanings }: Reading): Sentence['kind'] {
  if (asking.test(folded) || supposing.test(folded)) return 'QUESTION';
  if (wanting.test(folded)) return 'OTHER';
  return firstPerson.test(folded) && !meanings.some(({ key }) => ordering.has(key)) ? 'STATEMENT' : 'OTHER';
}

/** «What is a carbon footprint?»: a question about the word, not about anybody's affairs. */
export const asksForMeaning = ({ reading: { folded, quantities } }: Sentence): boolean =>
  defining.test(folded) && quantities.length === 0 && !ownAffairs.test(folded);

const copula = /\b(?:est|sont|etait|sera|is|are|was|es|son|era)\b|是/;
const purpose = /\b(?:pour|for|para|afin|destine[es]?)\b|用於|為了/;

/** «Financement de 500 millions pour …»: what a sentence is headed by, where it goes on to say what for. */
const headOf = ({ reading: { folded }, subjects: [first] }: Sentence): Meaning | null => {
  const isHead = first && wordsOf(folded.slice(0, first.start)).every(({ text }) => stopWords.has(text));
  const rest = isHead ? folded.slice(first.end) : '';
  const at = rest.search(purpose);
  // «Le financement est important pour nous» wants nothing.
  return first && at >= 0 && !copula.test(rest.slice(0, at)) ? first : null;
};

/** What a sentence says is wanted: «nous cherchons une subvention pour …»; null: nothing. */
export function wantedIn(sentence: Sentence): Meaning | null {
  const { reading, subjects } = sentence;
  const match = wanting.exec(reading.folded);
  if (!match) return headOf(sentence);
  const end = match.index + match[0].length;
  return subjects.find(({ start }) => start >= end) ?? null;
}

/** Whether a text speaks of what belongs to the one who asks. */
export const isOwnAffair = ({ folded }: Reading): boolean => ownAffairs.test(folded);

/** «How can we reduce it?»: a calculation would be no answer, even when figures are given. */
export const seeksAdvice = ({ kind, reading }: Sentence): boolean =>
  kind !== 'STATEMENT' && reading.meanings.some(({ key }) => key === 'reduce' || key === 'advice');
