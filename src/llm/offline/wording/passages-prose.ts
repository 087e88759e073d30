import type { Conversation } from '../conversation.js';
import { resultValue, type ToolResult } from '../tool-result.js';
import { asArray, asObject, asText } from '../json-access.js';
import { RETRIEVE_DOCUMENTS } from '../lookup/documents.js';
import { Subject } from '../reading/likeness.js';
import { failureIn } from '../result-failure.js';
import { bestSentences, ended, worthTelling } from './best-sentences.js';
import { type LookupPhrases, lookupPhrases } from './lookup-phrases.js';
import { phrases } from './phrases.js';

const sentencesOfAPassage = 2;
const mostSentences = 4;
const mostNamed = 3;

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
export function passagesAnswer({ results, language }: Conversation, asked: string): string | null {
  const own = lookupPhrases[language];
  const subject = new Subject(asked);
  const found = passages(results).flatMap((passage) =>
    bestSentences(subject, asked, { title: passage.document, text: passage.text }, sentencesOfAPassage).map(
      (each) => ({ ...each, passage }),
    ),
  );
  const sentences = worthTelling(found).slice(0, mostSentences);
  if (sentences.length === 0) return null;
  const lines = sentences.map(({ text, passage }) => {
    const source = own.dated('', nameOf(passage, own)).trim();
    return `- ${cited(text, passage.marker)} ${source}`;
  });
  return [own.documents, ...new Set(lines)].join('\n');
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
