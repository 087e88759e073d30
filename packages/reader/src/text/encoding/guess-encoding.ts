import { analyse } from 'chardet';

import { isKnownEncoding } from './text-encodings.js';
import { decoderFor } from './windows-1252.js';

export interface EncodingGuess {
  /** By its name for TextDecoder. */
  encoding: string;
  /** It decodes to odd characters, or another encoding fits as well. */
  isDoubtful: boolean;
}

interface Candidate extends EncodingGuess {
  score: number;
}

const SAMPLE_BYTES = 32_768;

/** The weight of odd characters against the statistics of letter pairs. */
const ODD_WEIGHT = 3;
const MAX_ODD_SHARE = 0.02;

/** Encodings of old Macs and DOS, which chardet does not know, and the fallback. */
const UNKNOWN_TO_STATISTICS = ['macintosh', 'ibm866', 'x-mac-cyrillic', 'windows-1252'];

/** The minimum number of intact characters per broken one. */
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
      isDoubtful: oddShare > MAX_ODD_SHARE,
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
      // Differs only in the euro and œ, which are not letters in the other.
      .flatMap((found) =>
        found.encoding === 'iso-8859-1' || found.encoding === 'windows-1252'
          ? [found, { encoding: 'iso-8859-15', confidence: found.confidence - 1 }]
          : [found],
      )
  );
}

/** The lines with bytes beyond ASCII. Only they are informative. */
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

/** Whether it is UTF-8 except for a few bytes: joined or cut texts. */
function isNearlyUtf8(sample: Buffer): boolean {
  const beyondAscii = sample.toString().match(/[^\0-\x7f]/gu) ?? [];
  const broken = beyondAscii.filter((character) => character === '\ufffd').length;
  return beyondAscii.length - broken >= WHOLE_PER_BROKEN * broken && beyondAscii.length > broken;
}

/** Patterns that hardly occur in correctly decoded text. */
const ODD: readonly RegExp[] = [
  // Unassigned, private and control characters.
  /[\ufffd\p{Cn}\p{Co}]|[\p{Cc}--[\t\n\r\f]]/gv,
  // Capitals and signs within words.
  /(?<=\p{Ll})[\p{Lu}--[A-Z]]/gv,
  /(?<=[\p{Ll}\p{Lu}])[[\p{S}\p{Po}\p{Ps}\p{No}«»“”‹›]--[\0-\x7f\u00b7]](?=\p{Ll})/gv,
  /(?<=\p{Ll})[†‡‰]|[–—][‘’“”]\p{Ll}/gu,
  /(?<=\p{L})[¢¥¦¬¶]|[¢¥¦¬¶](?=\p{L})|[¼½¾](?=\p{Ll})/gu,
  // Letters of two scripts in one word.
  /(?<=\p{Script=Latin})[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}]/gv,
  /(?<=[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}])\p{Script=Latin}/gv,
  /(?<=\p{Script=Latin})[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}](?=\p{Ll})/gv,
  // Lone diacritics, halfwidth katakana, and box drawing beside letters.
  /[ˆ˜¨´¸¤\uff61-\uff9f]/gu,
  /(?<=\p{L})[\u2500-\u259f]|[\u2500-\u259f](?=\p{L})/gu,
];

/** The share of odd ones among the characters beyond ASCII: 0 to 1. */
function oddShareOf(text: string): number {
  const characters = text.match(/[^\0-\x7f]|[\0-\x08\x0e-\x1f]/g)?.length ?? 0;
  if (characters === 0) return 0;
  const odd = ODD.reduce((sum, pattern) => sum + (text.match(pattern)?.length ?? 0), 0);
  return Math.min(1, odd / characters);
}
