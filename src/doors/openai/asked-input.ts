import type { ToldMessage } from '../question-places.service.js';
import { dataIn } from '../sent-files.js';

/** Something that was said before the question. */
export interface EarlierMessage extends ToldMessage {
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

type Said = string | readonly object[] | null | undefined;

/** The words of a message's content, which is text or consists of parts. */
export function textOf(said: Said): string {
  if (typeof said === 'string') return said;
  const words = (said ?? []).map((part) =>
    'text' in part ? part.text : 'refusal' in part ? part.refusal : undefined,
  );
  return words.filter((text) => typeof text === 'string').join('\n');
}

/** Takes a message: the roles that a client gives do not lend them more weight than its user has. */
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

/** The question is what the client's user says last. */
export function takeQuestion(asked: AskedInput): AskedInput {
  const begin = asked.earlier.findLastIndex(({ role }) => role === 'ASSISTANT') + 1;
  const question = asked.earlier.slice(begin).map(({ text }) => text);
  return { ...asked, earlier: asked.earlier.slice(0, begin), question: question.join('\n\n').trim() };
}

/** A file behind a URL, which may hold it itself. */
export function fileAt(url: string, name: string, isImage: boolean): AskedFile {
  return { name, isImage, source: dataIn(url) ?? { url } };
}

/** A file in base64, with or without the head of a data URL. */
export function fileOf(data: string, name: string): AskedFile {
  return { name, isImage: false, source: dataIn(data) ?? { data, mediaType: '' } };
}

/** Nothing is asked and nothing given: the client goes on with a turn whose wait was ended elsewhere. */
export function isFollowUp({ earlier, question, files, given }: AskedInput): boolean {
  return [...earlier, ...files, ...given].length === 0 && question === '';
}
