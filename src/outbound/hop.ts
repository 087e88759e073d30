import { OutboundError, type OutboundMethod } from './outbound-http.js';

/** One request of those that redirects make of one. */
export interface Hop {
  url: URL;
  method: OutboundMethod;
  /** By lowercase name. */
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | null;
}

const MAX_URL_CHARACTERS = 8_192;

/** What may be told to any server; a key goes by many names, so the list is of what is harmless. */
const harmless = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);

/** Set by the connection itself; a caller's own could tell two servers two things. */
const connections = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'te']);

const redirects = new Set([301, 302, 303, 307, 308]);

/** An address that a request may go to, as far as its form tells. */
export const readUrl = (text: string, base?: URL): URL => {
  const url = text.length <= MAX_URL_CHARACTERS ? URL.parse(text, base?.href) : null;
  if (!url) throw new OutboundError('BAD_URL', 'This is not a valid web address.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('BAD_URL', 'Only addresses that begin with http:// or https:// can be fetched.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('BAD_URL', 'An address must not hold a user name or a password.');
  }
  return url;
};

/** A caller's headers by lowercase name, without those that the connection sets. */
export const readHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !connections.has(name)),
  );

/** Whether an answer asks for another request in the place of this one. */
export const isRedirect = (status: number, location: string | undefined): location is string =>
  redirects.has(status) && location !== undefined;

/** The request that a redirect asks for; null when the answer is none. */
export const nextHop = (hop: Hop, status: number, location: string | undefined): Hop | null => {
  if (!isRedirect(status, location)) return null;
  const url = readUrl(location, hop.url);
  const repeated = repeatOf(hop, status);
  if (url.origin === hop.url.origin) return { ...repeated, url };
  const headers = Object.entries(repeated.headers).filter(([name]) => harmless.has(name));
  const hasSecrets = headers.length < Object.keys(repeated.headers).length || repeated.body !== null;
  if (hasSecrets && hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw new OutboundError('BLOCKED', 'The server redirects a confidential request from https to http.');
  }
  return { ...repeated, url, headers: Object.fromEntries(headers) };
};

/** 307 and 308 repeat the request as it was; the others ask for a page with GET, as browsers do. */
const repeatOf = (hop: Hop, status: number): Hop => {
  const isRepeated = status === 307 || status === 308 || hop.method === 'GET' || hop.method === 'HEAD';
  if (isRepeated || (status !== 303 && hop.method !== 'POST')) return hop;
  const { 'content-type': _, ...headers } = hop.headers;
  return { ...hop, method: 'GET', headers, body: null };
};
