import type { Conversation } from '../conversation.js';
import type { Question } from '../message.js';
import type { CompletionRequest } from '../server/protocol.js';
import type { Choice } from '../tool-choice.js';
import { queryFor } from './query.js';
import { type LookupCall, looksFor } from './web.js';

export const RETRIEVE_DOCUMENTS = 'retrieve_documents';

/** The search of the company's documents for what a question is about. */
export const documentsCall = ({ earlier }: Conversation, { now }: Question): LookupCall => ({
  name: RETRIEVE_DOCUMENTS,
  arguments: { query: queryFor(now.text, earlier) || now.text.trim() },
});

const sayings =
  'd.apres|selon|dans|dit|disent|prevoit|prevoient|indique|indiquent|contient|according to|in|does|do|says?|segun|en|dice|dicen|indica|contiene';
const papers =
  'documents?|rapports?|fichiers?|contrats?|reglement|politique|procedures?|manuel|guide|charte|reports?|files?|contracts?|handbook|polic(?:y|ies)|manual|documentos?|informes?|archivos?|contratos?|politica|reglamento|guia';
const named = new RegExp(`\\b(?:${sayings})\\s+(?:[\\w']+\\s+){0,2}?(?:\\w')?(?:${papers})\\b`);
const namedInHan =
  /(?:文件|報告|檔案|手冊|規定|合約)(?:書|裡|裏|中|內|上|怎麼|如何|有沒有|是否|說|寫|提)|(?:根據|依照|按照).{0,10}(?:文件|報告|規定|合約|手冊)/u;

/** Whether it is asked what documents say: «d’après nos documents», «what does the handbook say about …?» */
export const namesDocuments = ({ now }: Question): boolean =>
  now.sentences.some(
    ({ kind, reading }) =>
      kind === 'QUESTION' && (named.test(reading.folded) || namedInHan.test(reading.text)),
  );

/**
 * What is called where documents come before all other skills: where it is asked what they say, and where the skill that
 * a question seems to call for lacks something that they may tell. Null: they do not come first.
 */
export function documentCalls(
  { tools, tool_choice: choice }: CompletionRequest,
  conversation: Conversation,
  question: Question,
  choices: readonly Choice[],
): LookupCall[] | null {
  const isOffered =
    choice !== 'none' &&
    typeof choice !== 'object' &&
    tools.some((tool) => tool.function.name === RETRIEVE_DOCUMENTS);
  if (!isOffered) return null;
  const isSearched = conversation.results.some(({ name }) => name === RETRIEVE_DOCUMENTS);
  const search = documentsCall(conversation, question);
  if (namesDocuments(question)) return isSearched ? [] : [search];
  const isIncomplete = choices.length > 0 && !choices.some(({ extraction }) => extraction.complete);
  return !isSearched && isIncomplete && looksFor(question) ? [search] : null;
}
