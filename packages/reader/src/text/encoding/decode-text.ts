import { isUtf8 } from 'node:buffer';

import { decoderFor } from './windows-1252.js';
import { guessEncoding } from './guess-encoding.js';
import { decodeUtf32, isKnownEncoding } from './text-encodings.js';
import { wideEncodingOf } from './wide-encoding.js';

export interface DecodedText {
  text: string;
  /** In lower case, by its web name. */
  encoding: string;
  /** The file does not declare it, and another encoding is about as likely. */
  isDoubtful: boolean;
}

const HEAD_BYTES = 2048;

const marks: readonly (readonly [mark: string, encoding: string])[] = [
  ['\xef\xbb\xbf', 'utf-8'],
  ['\xff\xfe\0\0', 'utf-32le'],
  ['\0\0\xfe\xff', 'utf-32be'],
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
];

/**
 * Decodes a text by its byte order mark, as UTF-8 or UTF-16/32 if it is valid, by its declaration, or by the likeliest
 * encoding.
 */
export function decodeText(file: Buffer): DecodedText {
  const head = file.toString('latin1', 0, HEAD_BYTES);
  const [mark = '', marked] = marks.find(([mark]) => head.startsWith(mark)) ?? [];
  if (marked !== undefined) return certain(file.subarray(mark.length), marked);
  const wide = wideEncodingOf(file);
  if (wide !== null) return certain(file, wide);
  // Texts of other encodings are hardly ever valid UTF-8. ISO 2022 is an exception: it is ASCII with escape sequences.
  const isSwitching = ['\x1b$', '\x1b(I', '\x1b(J'].some((sign) => file.includes(sign));
  if (isUtf8(file) && !isSwitching) return certain(file, 'utf-8');
  const declared = declaredIn(head);
  if (declared !== null && !damages(file, declared)) return certain(file, declared);
  const { encoding, isDoubtful } = guessEncoding(file);
  return { text: decode(file, encoding), encoding, isDoubtful };
}

/** The declared encoding of an HTML page, XML, or source code. */
function declaredIn(head: string): string | null {
  const [, encoding = ''] =
    /<meta[^>]{1,200}?charset\s*=\s*["']?\s*([\w.:-]{2,40})/i.exec(head) ??
    /^\s*<\?xml[^>]{1,200}?encoding\s*=\s*["']([\w.:-]{2,40})/i.exec(head) ??
    /^#.{0,80}?coding[:=]\s*([\w.-]{2,40})/.exec(head) ??
    [];
  // A declaration that could be read as ASCII is not UTF-16.
  return isKnownEncoding(encoding) && !/^(?:utf-?16|utf-?32|ucs)/i.test(encoding)
    ? encoding.toLowerCase()
    : null;
}

function damages(file: Buffer, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(file);
    return false;
  } catch {
    return true;
  }
}

function certain(file: Buffer, encoding: string): DecodedText {
  return {
    text: decode(file, encoding),
    encoding,
    isDoubtful: false,
  };
}

function decode(file: Buffer, encoding: string): string {
  return encoding === 'utf-32le' || encoding === 'utf-32be'
    ? decodeUtf32(file, encoding)
    : decoderFor(encoding).decode(file);
}
