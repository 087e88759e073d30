import type { BinaryFormat } from '../parsed-document.js';
import { refuseCompound } from './compound-file.js';
import { refuseKnown } from './known-types.js';
import { formatOfZip } from './zip-format.js';

/** PDF readers look for the header within this many bytes: mail programs and scanners put other bytes before it. */
const HEAD_BYTES = 1024;

const SAMPLE_BYTES = 65_536;

/**
 * Detects the format from the bytes, whatever the name says. Null: unknown, so it may be text. Throws DocumentRefused
 * for a known format that cannot be read.
 */
export async function binaryFormatOf(bytes: Uint8Array): Promise<BinaryFormat | null> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = file.toString('latin1', 0, HEAD_BYTES);
  if (/^(?:\xef\xbb\xbf)?\s*%PDF-\d/.test(head)) return 'pdf';
  if (/^(?:\xef\xbb\xbf)?\s*\{\\rtf/.test(head)) return 'rtf';
  if (/^PK(?:\x03\x04|\x05\x06)/.test(head)) return formatOfZip(file);
  if (head.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return refuseCompound(file);
  // A text may begin with BM or GIF89a, but every picture contains control characters.
  if (hasControls(file)) await refuseKnown(file);
  return hasPdfWithin(file) ? 'pdf' : null;
}

/** Whether a PDF follows other bytes. A text that only mentions PDF is not one. */
function hasPdfWithin(file: Buffer): boolean {
  const start = file.toString('latin1', 0, HEAD_BYTES).search(/%PDF-\d/);
  if (start === -1) return false;
  const hasObjects = /\b\d+\s+\d+\s+obj\b/.test(file.toString('latin1', start, start + HEAD_BYTES));
  return (
    hasObjects && (hasControls(file) || /%%EOF\s*$/.test(file.toString('latin1', file.length - HEAD_BYTES)))
  );
}

function hasControls(file: Buffer): boolean {
  return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(file.toString('latin1', 0, SAMPLE_BYTES));
}
