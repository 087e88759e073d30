import type { JsonValue } from '../../common/json.js';
import type { Memory } from '../memory.entity.js';

/** What a memory is found by: all that it says. */
export const textOf = ({
  subject,
  content,
  attributes,
}: Pick<Memory, 'subject' | 'content' | 'attributes'>): string =>
  [subject, content, ...Object.values(attributes).flatMap(wordsOf)].join('\n');

const wordsOf = (value: JsonValue): string[] => {
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
};
