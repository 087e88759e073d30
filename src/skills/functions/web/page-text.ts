import { type BytesDecoder, decoderFor } from '@palabre/reader';

/** How much of a document's beginning may tell its encoding. */
const MAX_META_BYTES = 4_096;

/** In two steps, each of which reads a text once: in one, a page of `<meta` and blanks alone would take seconds. */
const metaElement = /<meta[^>]+/gi;
const charset = /charset\s*=\s*(?:["']\s*)?([\w:.-]+)/i;
const xml = /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w:.-]+)/i;

/** The text of a web document, by its byte order mark, its header, its own word, or what it can only be. */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const beginning = Buffer.from(bytes.subarray(0, MAX_META_BYTES)).toString('latin1');
  const named = toldOf(bytes, contentType) ?? decoderOf(inMeta(beginning) ?? xml.exec(beginning)?.[1]);
  return named ? named.decode(bytes) : guess(bytes);
}

function inMeta(beginning: string): string | undefined {
  return beginning
    .match(metaElement)
    ?.map((element) => charset.exec(element)?.[1])
    .find((label) => label !== undefined);
}

/** The same of what has no such word of its own, as JSON: in there it is of a page that is quoted. */
export function decodeWordless(bytes: Uint8Array, contentType: string): string {
  return toldOf(bytes, contentType)?.decode(bytes) ?? guess(bytes);
}

function toldOf(bytes: Uint8Array, contentType: string): BytesDecoder | null {
  return markOf(bytes) ?? decoderOf(/charset\s*=\s*"?([\w:.-]+)/i.exec(contentType)?.[1]);
}

function markOf(bytes: Uint8Array): BytesDecoder | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder();
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be');
  return null;
}

/** null for a name that is unknown, which pages make up. */
function decoderOf(label: string | undefined): BytesDecoder | null {
  if (label === undefined) return null;
  try {
    return decoderFor(label);
  } catch {
    return null;
  }
}

function guess(bytes: Uint8Array): string {
  try {
    // As a stream: the last character of a page that was cut may be half.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return decoderFor('windows-1252').decode(bytes);
  }
}
