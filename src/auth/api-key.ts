import { createHash, randomBytes } from 'node:crypto';

import { parse, stringify } from 'uuid';

const SECRET_BYTES = 32;

/** `plb_`, the company's id and the secret, in base64url: 22 and 43 characters. */
const FORM = /^plb_([\w-]{22})[\w-]{43}$/;

/** What a bearer token begins with that is an API key, and no JWT. */
export const API_KEY_PREFIX = 'plb_';

/** A key as it is looked for: the company that it says it is of, and the SHA-256 of all of it. */
export interface ApiKeyAddress {
  companyId: string;
  digest: string;
}

/** A new key of a company. It is told once, and kept as its digest alone: nobody guesses 32 random bytes. */
export const newApiKey = (companyId: string): string =>
  API_KEY_PREFIX +
  Buffer.from(parse(companyId)).toString('base64url') +
  randomBytes(SECRET_BYTES).toString('base64url');

/** Null: it has not the form of a key. */
export const addressOfApiKey = (key: string): ApiKeyAddress | null => {
  const company = FORM.exec(key)?.[1];
  if (company === undefined) return null;
  try {
    return { companyId: stringify(Buffer.from(company, 'base64url')), digest: digestOf(key) };
  } catch {
    return null;
  }
};

const digestOf = (key: string): string => createHash('sha256').update(key).digest('base64url');
