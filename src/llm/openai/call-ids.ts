import { createHash } from 'node:crypto';

/** What the strictest provider takes, and so every other: Mistral. */
const PLAIN_LENGTH = 9;
const isPlain = (id: string): boolean => /^[a-zA-Z0-9]{9}$/.test(id);

/** The id of a call, for a provider that does not take another one's: the same in the call and in its result. */
export const plainCallId = (id: string): string => {
  if (isPlain(id)) return id;
  const hash = createHash('sha256').update(id).digest('base64');
  return hash.replaceAll(/[^a-zA-Z0-9]/g, '').slice(0, PLAIN_LENGTH);
};
