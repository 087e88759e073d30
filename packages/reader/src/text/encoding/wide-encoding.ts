import { decodeUtf32 } from './text-encodings.js';

const wideEncodings = ['utf-32le', 'utf-32be', 'utf-16le', 'utf-16be'] as const;
type WideEncoding = (typeof wideEncodings)[number];

const SAMPLE_BYTES = 65_536;

/** The maximum share of zero bytes in single-byte text. In Latin UTF-16 it is a half. */
const MAX_ZEROS_SHARE = 0.25;

/** Bytes that no single-byte text has. */
const CONTROL = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

/** Characters of texts: letters, signs and blanks, but nothing unassigned. */
const TEXT = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\p{Cf}\t\n\r\f\u2028\u2029]+$/u;

/** Characters of nearly every text that turn into others when the byte order is wrong. */
const TELLING = /[\t\n\r !,.0-9A-Za-z、。「」！，：；？]/g;

/** Detects UTF-16 and UTF-32 without a byte order mark; null: it is neither. */
export function wideEncodingOf(file: Buffer): WideEncoding | null {
  const sample = file.subarray(0, SAMPLE_BYTES);
  if (!CONTROL.test(sample.toString('latin1')) || isTextWithZeros(sample)) return null;
  const [best] = wideEncodings
    .map((encoding) => ({ encoding, telling: tellingShareOf(sample, encoding) }))
    .filter(({ telling }) => telling > 0)
    .toSorted((one, other) => other.telling - one.telling);
  return best?.encoding ?? null;
}

/** Whether it is single-byte text with zeros between fields. */
function isTextWithZeros(sample: Buffer): boolean {
  const rest = sample.filter((byte) => byte !== 0);
  if (sample.byteLength - rest.byteLength > sample.byteLength * MAX_ZEROS_SHARE) return false;
  try {
    // Incomplete text at the end is fine.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(rest, { stream: true });
    return !CONTROL.test(text);
  } catch {
    return false;
  }
}

/** The share of telling characters; 0: not text. */
function tellingShareOf(sample: Buffer, encoding: WideEncoding): number {
  const isUtf32 = encoding === 'utf-32le' || encoding === 'utf-32be';
  const unit = isUtf32 ? 4 : 2;
  // File and sample may be cut within a character.
  const whole = sample.subarray(0, sample.byteLength - (sample.byteLength % unit));
  const decoded = isUtf32 ? decodeUtf32(whole, encoding) : new TextDecoder(encoding).decode(whole);
  const text = decoded.replace(/\ufffd$/, '');
  if (text.includes('\ufffd') || !TEXT.test(text)) return 0;
  const share = (text.match(TELLING)?.length ?? 0) / text.length;
  // Other data is hardly ever valid UTF-32.
  return isUtf32 ? Math.max(share, 0.5) : share;
}
