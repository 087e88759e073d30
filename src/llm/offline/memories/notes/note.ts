/** What memories are of. */
export const noteKinds = ['PREFERENCE', 'PROJECT', 'CONTACT', 'FACT'] as const;
export type NoteKind = (typeof noteKinds)[number];

/** Something said that is to be remembered. */
export interface Note {
  kind: NoteKind;
  /** What it is about, in a few words: what is noted of the same subject later takes its place. */
  subject: string;
  /** As it was said, as one sentence. */
  content: string;
  attributes: Readonly<Record<string, string>>;
}

const longestSubject = 60;
const longestContent = 400;
/** What the skill that notes takes at most. */
const longestAttributes: Readonly<Record<string, number>> = {
  status: 60,
  description: 500,
  client: 200,
  company: 200,
  notes: 500,
};

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const edges = /^[\s,;:–-]+|[\s,;:.!。！，；：–-]+$/gu;

/** A note of what a clause says, with the clause as its content. */
export function noteOf(
  kind: NoteKind,
  subject: string,
  said: string,
  attributes: Readonly<Record<string, string>> = {},
): Note {
  const content = capital(said.replaceAll(edges, '').slice(0, longestContent));
  const stop = /\p{Script=Han}[」』）]?$/u.test(content) ? '。' : '.';
  return {
    kind,
    subject: subject.replaceAll(edges, '').slice(0, longestSubject).trim(),
    content: /[…?]$/u.test(content) ? content : `${content}${stop}`,
    attributes: Object.fromEntries(
      Object.entries(attributes).filter(([key, value]) => value.length <= (longestAttributes[key] ?? 320)),
    ),
  };
}
