import type { JsonObject, JsonValue } from '../../common/json.js';
import { plainLine } from '../../common/text/plain-line.js';
import { holdsSecret } from '../../common/redaction/secret-text.js';
import { isAboutSomebodyElse, sensitiveTopicIn } from './sensitive.js';

/** Why something is not kept: SECRET opens something; SENSITIVE is what nobody should keep of others, or unasked. */
export type RefusedContent = 'SECRET' | 'SENSITIVE';

export interface OfferedNote {
  kind: string;
  subject: string;
  content: string;
  attributes?: JsonObject;
}

/**
 * Why a note is refused that `member`, a name, asked an assistant to keep; null: it is not. No secrets, which would
 * stand in prompts and logs from then on, and nothing sensitive of others, who were not asked.
 */
export const refusedWhenAsked = (note: OfferedNote, member: string): RefusedContent | null => {
  const texts = textsOf(note);
  if (texts.some(holdsSecret)) return 'SECRET';
  return isAboutSomebodyElse(note, member) && texts.some(isSensitive) ? 'SENSITIVE' : null;
};

/** The same of what nobody asked for: nothing sensitive of the member either, who would be asked first. */
export const refusedUnasked = (note: OfferedNote): RefusedContent | null => {
  const texts = textsOf(note);
  if (texts.some(holdsSecret)) return 'SECRET';
  return texts.some(isSensitive) ? 'SENSITIVE' : null;
};

const isSensitive = (text: string): boolean => sensitiveTopicIn(text) !== null;

/**
 * With its names: a subject names what the content is, an attribute's key its value. As it would be stored: what is
 * hidden between the letters of a word is taken out then.
 */
const textsOf = ({ subject, content, attributes = {} }: OfferedNote): string[] =>
  [
    content,
    `${subject}: ${content}`,
    ...Object.entries(attributes).flatMap(([key, value]) =>
      wordsOf(value).map((text) => `${key.replaceAll('_', ' ')}: ${text}`),
    ),
  ].map(plainLine);

const wordsOf = (value: JsonValue): string[] => {
  if (value === null || typeof value === 'boolean') return [];
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([key, inner]) => [key, ...wordsOf(inner)]);
  return [String(value)];
};
