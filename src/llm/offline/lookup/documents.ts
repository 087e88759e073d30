import type { Conversation } from '../conversation.js';
import type { Question } from '../message.js';
import { queryFor } from './query.js';
import type { LookupCall } from './web.js';

export const RETRIEVE_DOCUMENTS = 'retrieve_documents';

/** The search of the company's documents for what a question is about. */
export const documentsCall = ({ earlier }: Conversation, { now }: Question): LookupCall => ({
  name: RETRIEVE_DOCUMENTS,
  arguments: { query: queryFor(now.text, earlier) || now.text.trim() },
});
