import type { Conversation } from '../../conversation.js';
import { resultValue, type ToolResult } from '../../tool-result.js';
import { asArray, asObject, asText } from '../../json-access.js';
import { RETRIEVE_DOCUMENTS } from '../../lookup/documents.js';
import { restIn } from '../../lookup/query.js';
import { fold } from '../../reading/words/fold.js';
import { likeness, Subject } from '../../reading/words/likeness.js';
import { sentencesOf } from '../../reading/read.js';
import { failureIn } from '../../result-failure.js';
import { bestSentences, ended, type ScoredSentence, worthTelling } from '../best-sentences.js';
import { type LookupPhrases, lookupPhrases } from '../lookup-phrases.js';
import { phrases } from '../languages/phrases.js';
import { shortened } from '../shortened.js';

const sentencesOfAPassage = 2;
const mostSentences = 4;
const mostNamed = 3;
const longestSentence = 320;
/** Of Markdown: it says what follows is about, and nothing of it. */
const heading = /^[ \t]*#{1,6}[ \t].*$/gm;

interface Passage {
  marker: number;
  document: string;
  page: number | null;
  text: string;
}

export const isOfDocuments = ({ name }: ToolResult): boolean => name === RETRIEVE_DOCUMENTS;

const passagesIn = (result: ToolResult): Passage[] =>
  asArray(asObject(resultValue(result))['passages'])
    .map(asObject)
    .flatMap(({ marker, document, page, text }) =>
      typeof marker === 'number' && asText(text) !== ''
        ? [
            {
              marker,
              document: asText(document),
              page: typeof page === 'number' ? page : null,
              text: asText(text),
            },
          ]
        : [],
    );

const nameOf = ({ document, page }: Passage, own: LookupPhrases): string =>
  page === null ? document : own.page(document, page);

/** What the company's documents say to a question, each sentence with the number of its passage; null: nothing. */
export function passagesAnswer(
  { results, language, question, earlier }: Conversation,
  asked: string,
): string | null {
  const own = lookupPhrases[language];
  const found = passages(results);
  const added = restIn(question, earlier);
  // What is added may be said in other words than the documents', unless it is a country: then the whole has to do.
  const bestOf = (rest: Subject | null): CitedSentence[] => sentencesIn(found, asked, rest);
  const rest = added === null ? null : new Subject(added);
  const ofRest = rest === null ? [] : bestOf(rest);
  const sentences = ofRest.length > 0 || rest?.namesCountry ? ofRest : bestOf(null);
  const isSummary = summing.test(fold(question));
  const asksForWhole = isSummary || found.some((passage) => isNamed(question, passage));
  const beginnings =
    asksForWhole && (isSummary || sentences.length === 0) ? beginningsOf(found, question) : [];
  const told = beginnings.length > 0 ? beginnings : sentences;
  if (told.length === 0) return null;
  const lines = told.map(({ text, passage }) => {
    const source = own.dated('', nameOf(passage, own)).trim();
    return `- ${cited(text, passage.marker)} ${source}`;
  });
  return [own.documents, ...new Set(lines)].join('\n');
}

const summing =
  /\b(?:resum\w+|synthe\w+|points? (?:cles?|essentiels?|importants?)|l'essentiel|summar\w+|key points|main points|overview|puntos (?:clave|principales)|sintesis)\b|重點|摘要|整理|總結|大綱/;

/** The name of a document without its ending, as words. */
const titleOf = ({ document }: Passage): string =>
  document.replace(/\.\w{1,5}$/, '').replaceAll(/[_-]+/g, ' ');

const leastOfTitle = 0.3;

/** «informe.pdf», 報告.docx: called by what it is, which any question about a document says. */
const isGeneric = ({ keys, words, pairs }: Subject): boolean =>
  words.length === 0 && pairs.length <= 1 && [...keys].every((key) => key === 'document');

const isNamed = (question: string, passage: Passage): boolean => {
  const [title, subject] = [titleOf(passage), new Subject(question)];
  return (
    !isGeneric(new Subject(title)) && subject.isTouchedIn(title) && likeness(subject, title) >= leastOfTitle
  );
};

/** How the passages begin; of the documents that the question names, where it names any. */
function beginningsOf(found: readonly Passage[], question: string): CitedSentence[] {
  const named = found.filter((passage) => isNamed(question, passage));
  return (named.length > 0 ? named : found)
    .flatMap((passage) =>
      sentencesOf(passage.text.replaceAll(heading, ''))
        .slice(0, mostSentences)
        .map((text, at) => ({ text: shortened(text, longestSentence), score: 1, at, passage })),
    )
    .slice(0, mostSentences);
}

interface CitedSentence extends ScoredSentence {
  passage: Passage;
}

function sentencesIn(found: readonly Passage[], asked: string, rest: Subject | null): CitedSentence[] {
  const subject = new Subject(asked);
  const all = found.flatMap((passage) => {
    const page = { title: passage.document, text: passage.text.replaceAll(heading, '') };
    const best = bestSentences(subject, asked, page, sentencesOfAPassage, rest);
    return best.map((each) => ({ ...each, passage }));
  });
  return worthTelling(all).slice(0, mostSentences);
}

/** The marker stands before the full stop, so that it belongs to the sentence. */
const cited = (text: string, marker: number): string =>
  ended(text).replace(/([.!。！…:;]?)$/u, (stop) => ` [${marker}]${stop}`);

const passages = (results: readonly ToolResult[]): Passage[] => {
  const all = results.filter(isOfDocuments).flatMap(passagesIn);
  return [...new Map(all.map((passage) => [passage.marker, passage])).values()];
};

/** That the documents do not answer, with what comes closest; why the search failed, when it did. */
export function passagesMissing({ results, language }: Conversation): string {
  const own = lookupPhrases[language];
  const found = passages(results);
  if (found.length === 0) return own.notInDocuments;
  const names = [...new Set(found.map((passage) => nameOf(passage, own)))].slice(0, mostNamed);
  return `${own.notInDocuments}${phrases[language].gap}${own.closest(names.join(phrases[language].separator))}`;
}

export const isSearched = ({ results }: Conversation): boolean =>
  results.some((result) => isOfDocuments(result) && failureIn(resultValue(result)) === null);
