import codePages from '../../../data/code-pages.json' with { type: 'json' };
import { type BytesDecoder, decoderFor } from '../../text/encoding/windows-1252.js';

const WESTERN = 'windows-1252';

const byCodePage: Readonly<Record<string, string>> = codePages.byCodePage;
/** By the charset number of a font. */
const byCharset: Readonly<Record<string, string>> = codePages.byCharset;

/** The encoding of a code page, by its name for TextDecoder. Unknown code pages are read as windows-1252. */
export function encodingOfCodePage(codePage: number): string {
  return codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : (byCodePage[codePage] ?? WESTERN);
}

/** Null: the font has no charset of its own, so the document's applies. */
export function encodingOfCharset(charset: number): string | null {
  return byCharset[charset] ?? null;
}

const decoders = new Map<string, BytesDecoder>();

export function decoded(bytes: Uint8Array, encoding: string): string {
  const decoder = decoders.get(encoding) ?? decoderFor(encoding);
  decoders.set(encoding, decoder);
  return decoder.decode(bytes);
}
