import type { MessageRole } from '../../conversations/message.entity.js';

/** Something that was said before the question, as the client tells it. */
export interface EarlierMessage {
  role: MessageRole;
  text: string;
  /** The turn whose answer it is, where the client names that in the place of a text. */
  turnId?: string;
}

/** A file of the question: its bytes in base64, or where they are to be fetched. */
export interface AskedFile {
  name: string;
  isImage: boolean;
  source: { data: string; mediaType: string } | { url: string };
}

/** What a client gives to what a turn waits for, by the id of the pending input. */
export type GivenInput = { inputId: string } & (
  { output: string } | { approve: boolean; comment: string | null }
);

/** A request of either dialect, without what is only its own. */
export interface AskedInput {
  /** Whatever the client says about how to answer. It has the weight of what its user says. */
  instructions: string[];
  earlier: EarlierMessage[];
  question: string;
  files: AskedFile[];
  /** What comes after all that was said; a question that follows it takes its place. */
  given: GivenInput[];
}

export function nothingAsked(): AskedInput {
  return { instructions: [], earlier: [], question: '', files: [], given: [] };
}

/** The question is what the client's user says last. */
export function takeQuestion(asked: AskedInput): AskedInput {
  const begin = asked.earlier.findLastIndex(({ role }) => role === 'ASSISTANT') + 1;
  const question = asked.earlier.slice(begin).map(({ text }) => text);
  return { ...asked, earlier: asked.earlier.slice(0, begin), question: question.join('\n\n').trim() };
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w.+-]+=[^;,]*)*;base64,/i;

/** A file behind a URL, which may hold it itself. */
export function fileAt(url: string, name: string, isImage: boolean): AskedFile {
  const [head, mediaType = ''] = DATA_URL.exec(url) ?? [];
  if (head === undefined) return { name, isImage, source: { url } };
  return { name, isImage, source: { mediaType, data: url.slice(head.length) } };
}

/** Nothing is asked and nothing given: the client goes on with a turn whose wait was ended elsewhere. */
export function isFollowUp({ earlier, question, files, given }: AskedInput): boolean {
  return [...earlier, ...files, ...given].length === 0 && question === '';
}
