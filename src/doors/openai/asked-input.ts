import type { ToldMessage } from '../question-places.service.js';
import { dataIn } from '../sent-files.js';

/** A message before the question. */
export interface EarlierMessage extends ToldMessage {
  /** The turn of the answer, if the client names it instead of sending the text. */
  turnId?: string;
}

/** A file of the question: base64 or a URL. Null: the client gives neither. */
export interface AskedFile {
  name: string;
  isImage: boolean;
  source: { data: string; mediaType: string } | { url: string } | null;
}

/** An answer to an input, by the input's id. */
export type GivenInput = { inputId: string } & (
  { output: string } | { approve: boolean; comment: string | null }
);

/** A request in either dialect, in common form. */
export interface AskedInput {
  /** Instructions on how to answer. They have the weight of the user's text. */
  instructions: string[];
  earlier: EarlierMessage[];
  question: string;
  files: AskedFile[];
  /** Answers after the last message. A following question replaces them. */
  given: GivenInput[];
}

export function nothingAsked(): AskedInput {
  return { instructions: [], earlier: [], question: '', files: [], given: [] };
}

type Said = string | readonly object[] | null | undefined;

/** The text of a message's content, which is text or parts. */
export function textOf(said: Said): string {
  if (typeof said === 'string') return said;
  const words = (said ?? []).map((part) =>
    'text' in part ? part.text : 'refusal' in part ? part.refusal : undefined,
  );
  return words.filter((text) => typeof text === 'string').join('\n');
}

/** Takes a message. A client's roles give it no more weight than its user's. */
export function takeMessage(
  asked: AskedInput,
  role: 'user' | 'assistant' | 'system' | 'developer',
  text: string,
  files: readonly AskedFile[],
): void {
  if (role === 'system' || role === 'developer') {
    asked.instructions.push(text);
    return;
  }
  asked.given = [];
  asked.files = role === 'user' ? [...asked.files, ...files] : [];
  asked.earlier.push({ role: role === 'user' ? 'USER' : 'ASSISTANT', text });
}

/** The question is the user's last message. */
export function takeQuestion(asked: AskedInput): AskedInput {
  const begin = asked.earlier.findLastIndex(({ role }) => role === 'ASSISTANT') + 1;
  const question = asked.earlier.slice(begin).map(({ text }) => text);
  return { ...asked, earlier: asked.earlier.slice(0, begin), question: question.join('\n\n').trim() };
}

/** The file of a URL, or in a data URL. */
export function fileAt(url: string, name: string, isImage: boolean): AskedFile {
  return { name, isImage, source: dataIn(url) ?? { url } };
}

/** A file in base64, with or without a data URL's head. */
export function fileOf(data: string, name: string): AskedFile {
  return { name, isImage: false, source: dataIn(data) ?? { data, mediaType: '' } };
}

/** Neither a question nor an answer: the client continues a turn whose wait ended elsewhere. */
export function isFollowUp({ earlier, question, files, given }: AskedInput): boolean {
  return [...earlier, ...files, ...given].length === 0 && question === '';
}
