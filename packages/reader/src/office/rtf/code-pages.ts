import { type BytesDecoder, decoderFor } from '../../text/encoding/windows-1252.js';

const WESTERN = 'windows-1252';

/** By the charset number of a font. */
const byCharset: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  130: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};

const byCodePage: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10_000: 'macintosh',
  54_936: 'gb18030',
  65_001: 'utf-8',
};

/** The encoding of a code page, by its name for TextDecoder. Unknown code pages are read as windows-1252. */
export function encodingOfCodePage(codePage: number): string {
  return codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : (byCodePage[codePage] ?? WESTERN);
}

/** Null: the font has no charset of its own, so the document's applies. */
export function encodingOfCharset(charset: number): string | null {
  return byCharset[charset] ?? null;
}

const decoders = new Map<string, BytesDecoder>();

export function decoded(bytes: readonly number[], encoding: string): string {
  const decoder = decoders.get(encoding) ?? decoderFor(encoding);
  decoders.set(encoding, decoder);
  return decoder.decode(Uint8Array.from(bytes));
}
