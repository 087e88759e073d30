import { analyse } from 'chardet';

import { oddShareOf } from './odd-characters.js';
import { decoderFor } from './windows-1252.js';
import { isKnownEncoding } from './text-encodings.js';

export interface EncodingGuess {
  /** As the runtime's decoder calls it. */
  encoding: string;
  /** It does not make sense all through, or another one would make as much. */
  isDoubtful: boolean;
}

interface Candidate extends EncodingGuess {
  score: number;
}

const SAMPLE_BYTES = 32_768;

/** One odd character in three outweighs whatever statistics say of pairs of letters. */
const ODD_WEIGHT = 3;
const MOST_ODD_SHARE = 0.02;

/** Of old Macs and of DOS, of which those statistics know nothing, and what there is to fall back on. */
const UNKNOWN_TO_STATISTICS = ['macintosh', 'ibm866', 'x-mac-cyrillic', 'windows-1252'];

/** A character that is broken in one text comes with so many that are whole. */
const WHOLE_PER_BROKEN = 5;

/** The likeliest encoding of a text that is not valid UTF-8. */
export function guessEncoding(file: Buffer): EncodingGuess {
  const sample = tellingLinesOf(file);
  if (isNearlyUtf8(sample)) return { encoding: 'utf-8', isDoubtful: false };
  const candidates = new Map<string, Candidate>();
  for (const { encoding, confidence } of [...byStatistics(sample), ...others]) {
    const decoder = decoderFor(encoding);
    if (candidates.has(decoder.encoding)) continue;
    const oddShare = oddShareOf(decoder.decode(sample));
    const score = confidence / 100 - ODD_WEIGHT * oddShare;
    candidates.set(decoder.encoding, {
      encoding: decoder.encoding,
      isDoubtful: oddShare > MOST_ODD_SHARE,
      score,
    });
  }
  const [best] = [...candidates.values()].toSorted((one, other) => other.score - one.score);
  return best ?? { encoding: 'windows-1252', isDoubtful: true };
}

const others = UNKNOWN_TO_STATISTICS.map((encoding) => ({ encoding, confidence: 0 }));

function byStatistics(sample: Buffer): { encoding: string; confidence: number }[] {
  return (
    analyse(sample)
      .filter(({ confidence, name }) => confidence > 0 && name !== 'ASCII' && name !== 'UTF-8')
      .map(({ confidence, name }) => ({ encoding: name.toLowerCase(), confidence }))
      .filter(({ encoding }) => isKnownEncoding(encoding))
      // The same but for the euro and œ, which are no letters there.
      .flatMap((found) =>
        found.encoding === 'iso-8859-1' || found.encoding === 'windows-1252'
          ? [found, { encoding: 'iso-8859-15', confidence: found.confidence - 1 }]
          : [found],
      )
  );
}

/** The lines from the beginning on that are not in ASCII alone: only they tell. */
function tellingLinesOf(file: Buffer): Buffer {
  const lines: Buffer[] = [];
  let bytes = 0;
  for (let start = 0; start < file.byteLength && bytes < SAMPLE_BYTES;) {
    const end = file.indexOf(10, start);
    const line = file.subarray(start, Math.min(end === -1 ? file.byteLength : end + 1, start + SAMPLE_BYTES));
    start = end === -1 ? file.byteLength : end + 1;
    if (!line.some((byte) => byte >= 0x80 || byte === 0x1b)) continue;
    lines.push(line);
    bytes += line.byteLength;
  }
  return Buffer.concat(lines).subarray(0, SAMPLE_BYTES);
}

/** But for a few bytes: two texts put together, or one that was cut off. */
function isNearlyUtf8(sample: Buffer): boolean {
  const beyondAscii = sample.toString().match(/[^\0-\x7f]/gu) ?? [];
  const broken = beyondAscii.filter((character) => character === '\ufffd').length;
  return beyondAscii.length - broken >= WHOLE_PER_BROKEN * broken && beyondAscii.length > broken;
}
