import { asSimplified } from '@palabre/lexical';
import { isTableRow, isTableRule, withoutAccents } from '@palabre/text';

/** In UTF-16 units, as `String.length` counts. */
export const maxQuote = 300;

const maxPassage = 8_000;
/** The share of a claim's features that its source passage has. */
const shareHeld = 0.85;
/** The most claims for a source in an answer: the first ones. */
export const maxClaims = 20;
/** Sentence ends hardly depend on the language. */
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** A heading states the subject, and is not quoted. */
const heading = /^\s*#{1,6}\s/;

interface Span {
  start: number;
  end: number;
}

/** Whole sentences that are the source of several claims, or closest to one. Else the beginning, from `start`. */
export function quoteIn(passage: string, claims: readonly string[]): { quote: string; start: number } {
  const text = passage
    .trimEnd()
    .slice(0, maxPassage)
    .replace(/[\uD800-\uDBFF]$/, '');
  const looks = claims.slice(0, maxClaims).map(featuresOf);
  const spans = withColumns(pieces(text).map((span) => lookedAt(span, text)));
  const first = Math.max(
    0,
    spans.findIndex(({ isHeading }) => !isHeading),
  );
  let best = { start: spans[first]?.start ?? 0, end: 0, closeness: 0, claim: 0 };
  for (const [index, { start, isHeading: isTitle }] of spans.entries()) {
    if (isTitle && index !== first) continue;
    const run = new Run(looks);
    for (const { end, features, isHeading } of spans.slice(index)) {
      if (end - start > maxQuote || (isHeading && !isTitle)) break;
      run.add(features);
      const { closeness, claim } = run.best();
      const isBeginning = index === first && best.closeness === 0;
      const isEarlier = closeness > 0 && closeness === best.closeness && claim < best.claim;
      if (closeness > best.closeness || isEarlier || isBeginning) best = { start, end, closeness, claim };
    }
  }
  const quoted = text.slice(best.start, best.end);
  return { quote: quoted.trim(), start: best.start + quoted.length - quoted.trimStart().length };
}

interface LookedAt extends Span {
  text: string;
  features: Set<string>;
  /** A heading, or the column names of a table, for the text below. */
  isHeading: boolean;
}

function lookedAt({ start, end }: Span, passage: string): LookedAt {
  const text = passage.slice(start, end);
  return { start, end, text, features: featuresOf(text), isHeading: heading.test(text) };
}

/** Rows of Markdown tables count as having the column names. Names alone are not quoted. */
function withColumns(spans: readonly LookedAt[]): LookedAt[] {
  let names: LookedAt | null = null;
  return spans.map((span, index) => {
    if (!isTableRow(span.text.trimEnd())) names = null;
    else if (isTableRule(spans[index + 1]?.text.trimEnd() ?? '')) names = span;
    else if (names) {
      if (isTableRule(span.text.trimEnd())) return { ...span, isHeading: true };
      return { ...span, features: new Set([...span.features, ...names.features]) };
    }
    return names === span ? { ...span, isHeading: true } : span;
  });
}

/** Neighbouring sentences, and how close they are to the claims. */
class Run {
  private readonly features = new Set<string>();
  private readonly looks: { look: ReadonlySet<string>; shared: number }[];

  constructor(looks: readonly ReadonlySet<string>[]) {
    this.looks = looks.map((look) => ({ look, shared: 0 }));
  }

  add(features: ReadonlySet<string>): void {
    for (const feature of features) {
      if (this.features.has(feature)) continue;
      this.features.add(feature);
      for (const each of this.looks) if (each.look.has(feature)) each.shared += 1;
    }
  }

  /** The closest claim: closeness from 0 to 1, plus 1 for each further claim that they contain. */
  best(): { closeness: number; claim: number } {
    const held = this.looks.filter(({ look, shared }) => shared > 0 && shared >= shareHeld * look.size);
    if (held.length > 1) {
      const joined = new Set(held.flatMap(({ look }) => [...look]));
      const shared = [...joined].filter((feature) => this.features.has(feature)).length;
      return { closeness: held.length - 1 + this.likeness(shared, joined.size), claim: 0 };
    }
    const all = this.looks.map(({ look, shared }) => this.likeness(shared, look.size));
    const closeness = Math.max(0, ...all);
    return { closeness, claim: Math.max(0, all.indexOf(closeness)) };
  }

  /** Dice's coefficient. */
  private likeness(shared: number, size: number): number {
    return shared === 0 ? 0 : (2 * shared) / (size + this.features.size);
  }
}

export function lastSentence(text: string): string {
  const found = Array.from(sentences.segment(text.slice(-2 * maxQuote)), ({ segment }) => segment.trim());
  return found.findLast((sentence) => sentence !== '') ?? '';
}

/** Sentences, and parts of too long ones, without blank lines. */
function pieces(text: string): Span[] {
  return Array.from(sentences.segment(text)).flatMap(({ segment, index }) => {
    const spans: Span[] = [];
    if (segment.trim() === '') return spans;
    for (let start = 0; start < segment.length; start = spans.at(-1)?.end ?? segment.length)
      spans.push({ start, end: start + pieceLength(segment.slice(start, start + maxQuote + 1)) });
    return spans.map(({ start, end }) => ({ start: index + start, end: index + end }));
  });
}

/** Up to a blank in the second half, if there is one. */
function pieceLength(text: string): number {
  if (text.length <= maxQuote) return text.length;
  const blank = text.slice(0, maxQuote).search(/\s\S*$/u) + 1;
  if (blank > maxQuote / 2) return blank;
  const isHalfCharacter = /[\uD800-\uDBFF]/.test(text.charAt(maxQuote - 1));
  return isHalfCharacter ? maxQuote - 1 : maxQuote;
}

const word = /[\p{L}\p{N}]+/gu;
/** Like `word`, but a number stands alone. Otherwise a year would dominate a short Chinese sentence. */
const wordOrNumber = /\p{N}+|\p{L}+/gu;
/** A meaningful figure: neither a year nor a small number. */
const telling = /(?<![\p{Script=Latin}\d.])(?!(?:19|20)\d\d(?!\d))\d{3,}(?![\d年])/gu;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Parts of words, which also match inflected words, simplified characters and other spellings of figures. */
function featuresOf(text: string): Set<string> {
  const plain = withPlainFigures(asSimplified(withoutAccents(text).toLowerCase()));
  const features = new Set<string>();
  // The whole figure, which texts of two scripts may share and few other texts have.
  for (const [figure] of plain.matchAll(telling)) features.add(`=${figure}`);
  if (!unspaced.test(plain)) {
    for (const [found] of plain.matchAll(word)) addParts(features, `_${found}_`, 3);
    return features;
  }
  for (const [found] of plain.matchAll(wordOrNumber)) {
    if (unspaced.test(found)) addParts(features, found, 2);
    else if (/\p{L}/u.test(found)) addParts(features, `_${found}_`, 3);
    else features.add(found);
  }
  return features;
}

/** All parts of this length. A shorter text is one part. */
function addParts(features: Set<string>, text: string, length: number): void {
  for (let start = 0; start === 0 || start + length <= text.length; start += 1)
    features.add(text.slice(start, start + length));
}

/** Numerals by value, in simplified form, including those of contracts. */
const digitOf: ReadonlyMap<string, number> = new Map(
  ['〇零', '一壹', '二贰两', '三叁参', '四肆', '五伍', '六陆', '七柒', '八捌', '九玖'].flatMap(
    (signs, value) => [...signs].map((sign): [string, number] => [sign, value]),
  ),
);
const tenfold: ReadonlyMap<string, number> = new Map([
  ['十', 10],
  ['拾', 10],
  ['百', 100],
  ['佰', 100],
  ['千', 1000],
  ['仟', 1000],
]);
const signs = [...digitOf.keys(), ...tenfold.keys()].join('');

const grouped = /(?<![\d.,])\d{1,3}(?:[,'’\u00A0\u202F ]\d{3})+(?!\d)/g;
/** A single numeral is mostly part of a word: 一般, 三亞. */
const numeral = new RegExp(`[${signs}]{2,}|[${signs}](?=[万亿])`, 'gu');
const inHundredMillions = /(\d+(?:\.\d+)?)\s?亿(?:(\d+(?:\.\d+)?)\s?万)?/gu;
const inTenThousands = /(\d+(?:\.\d+)?)\s?万(\d{1,4}(?!\d))?/gu;

/** 二十五 is 25; 一一三 is 113. */
function valueOf(numerals: string): string {
  const units = [...numerals];
  if (!units.some((sign) => tenfold.has(sign))) return units.map((sign) => digitOf.get(sign)).join('');
  let [sum, digit] = [0, 0];
  for (const sign of units) {
    const times = tenfold.get(sign);
    if (times === undefined) digit = digitOf.get(sign) ?? 0;
    else {
      sum += (digit || 1) * times;
      digit = 0;
    }
  }
  return `${sum + digit}`;
}

function whole(value: number): string {
  return `${Math.round(value)}`;
}

/** 1,234 becomes 1234, and 貳拾伍萬 and 25 萬 become 250000, because answers and documents write figures differently. */
export function withPlainFigures(text: string): string {
  return text
    .replace(grouped, (figure) => figure.replaceAll(/\D/g, ''))
    .replace(numeral, valueOf)
    .replace(inHundredMillions, (_, millions: string, rest?: string) =>
      whole(Number(millions) * 1e8 + Number(rest ?? 0) * 1e4),
    )
    .replace(inTenThousands, (_, thousands: string, rest?: string) =>
      whole(Number(thousands) * 1e4 + Number(rest ?? 0)),
    );
}
