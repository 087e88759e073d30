import { type BytesDecoder, decoderFor } from '@palabre/reader';

/** How much of a document's beginning is searched for its encoding. */
const MAX_META_BYTES = 4_096;

/** Two expressions instead of one, which would take seconds on a page full of `<meta` and blanks. */
const metaElement = /<meta[^>]+/gi;
const charset = /charset\s*=\s*(?:["']\s*)?([\w:.-]+)/i;
const xml = /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w:.-]+)/i;

/** Decodes a web document: by byte order mark, Content-Type, its own meta element, or a guess. */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const beginning = Buffer.from(bytes.subarray(0, MAX_META_BYTES)).toString('latin1');
  const named =
    declaredDecoder(bytes, contentType) ?? decoderOf(inMeta(beginning) ?? xml.exec(beginning)?.[1]);
  return named ? named.decode(bytes) : guess(bytes);
}

function inMeta(beginning: string): string | undefined {
  return beginning
    .match(metaElement)
    ?.map((element) => charset.exec(element)?.[1])
    .find((label) => label !== undefined);
}

/** Decodes JSON: by byte order mark, Content-Type or a guess. A meta element in it belongs to a page that it quotes. */
export function decodeJson(bytes: Uint8Array, contentType: string): string {
  return declaredDecoder(bytes, contentType)?.decode(bytes) ?? guess(bytes);
}

function declaredDecoder(bytes: Uint8Array, contentType: string): BytesDecoder | null {
  return markOf(bytes) ?? decoderOf(/charset\s*=\s*"?([\w:.-]+)/i.exec(contentType)?.[1]);
}

function markOf(bytes: Uint8Array): BytesDecoder | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder();
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be');
  return null;
}

/** Null: unknown. Pages invent names. */
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
    // Decoded as a stream, because a cut page may end within a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return decoderFor('windows-1252').decode(bytes);
  }
}
