import { decodeUtf32 } from './text-encodings.js';

const wideEncodings = ['utf-32le', 'utf-32be', 'utf-16le', 'utf-16be'] as const;
type WideEncoding = (typeof wideEncodings)[number];

const SAMPLE_BYTES = 65_536;

/** Of the bytes; in a text of two bytes a character it is half of them, where it is a Latin one. */
const MOST_ZEROS_SHARE = 0.25;

/** In no text of one byte a character. */
const CONTROL = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

/** What stands in texts: letters, signs and blanks of any script, but nothing that is assigned to nobody. */
const TEXT = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\p{Cf}\t\n\r\f\u2028\u2029]+$/u;

/** What stands in nearly every text, and is something else, or nothing, with its bytes the other way round. */
const TELLING = /[\t\n\r !,.0-9A-Za-z、。「」！，：；？]/g;

/** Two or four bytes a character, without a mark at the beginning; null: neither. */
export function wideEncodingOf(file: Buffer): WideEncoding | null {
  const sample = file.subarray(0, SAMPLE_BYTES);
  if (!CONTROL.test(sample.toString('latin1')) || isTextWithZeros(sample)) return null;
  const [best] = wideEncodings
    .map((encoding) => ({ encoding, telling: tellingShareOf(sample, encoding) }))
    .filter(({ telling }) => telling > 0)
    .toSorted((one, other) => other.telling - one.telling);
  return best?.encoding ?? null;
}

/** Whether it is a text of one byte a character but for the zeros, which part its fields. */
function isTextWithZeros(sample: Buffer): boolean {
  const rest = sample.filter((byte) => byte !== 0);
  if (sample.byteLength - rest.byteLength > sample.byteLength * MOST_ZEROS_SHARE) return false;
  try {
    // Cut off within a character it is text as well.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(rest, { stream: true });
    return !CONTROL.test(text);
  } catch {
    return false;
  }
}

/** Of its characters; 0: it is no text. */
function tellingShareOf(sample: Buffer, encoding: WideEncoding): number {
  const isUtf32 = encoding === 'utf-32le' || encoding === 'utf-32be';
  const unit = isUtf32 ? 4 : 2;
  // A file may have been cut off within a character, and a sample within a pair.
  const whole = sample.subarray(0, sample.byteLength - (sample.byteLength % unit));
  const decoded = isUtf32 ? decodeUtf32(whole, encoding) : new TextDecoder(encoding).decode(whole);
  const text = decoded.replace(/\ufffd$/, '');
  if (text.includes('\ufffd') || !TEXT.test(text)) return 0;
  const share = (text.match(TELLING)?.length ?? 0) / text.length;
  // Four bytes of anything else are next to never a character.
  return isUtf32 ? Math.max(share, 0.5) : share;
}
