/** Latin characters count 1; others are a token or more each. */
const LATIN = /[\u0000-\u024f]/;
const OTHER_WEIGHT = 3;

/** The length of a message in an excerpt: about 150 tokens. */
const MAX_WEIGHT = 600;

const MAX_SENTENCES = 400;

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** Whole if it is short, else its best sentences by `scoreOf`, in order, with `…` for gaps. */
export function relevantSentences(text: string, scoreOf: (sentence: string) => number): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  if (weightOf(line, MAX_WEIGHT) <= MAX_WEIGHT) return line;
  const all = Array.from(sentences.segment(text), ({ segment }) => segment.replaceAll(/\s+/gu, ' ').trim())
    .filter((sentence) => sentence !== '')
    .slice(0, MAX_SENTENCES);
  const best = all
    .map((sentence, at) => ({ sentence, at, score: scoreOf(sentence) }))
    .toSorted((a, b) => b.score - a.score || a.at - b.at);
  const kept = new Set<number>();
  let room = MAX_WEIGHT;
  for (const { sentence, at } of best) {
    const weight = weightOf(sentence, room);
    if (weight > room) continue;
    kept.add(at);
    room -= weight;
  }
  const [first] = best;
  if (kept.size === 0) return `${beginningOf(first?.sentence ?? line)}…`;
  return joined(all, kept);
}

function joined(all: readonly string[], kept: ReadonlySet<number>): string {
  const parts: string[] = [];
  for (const [at, sentence] of all.entries()) {
    if (kept.has(at)) parts.push(sentence);
    else if (parts.at(-1) !== '…') parts.push('…');
  }
  return parts.join(' ');
}

/** Stops counting just past `most`. */
function weightOf(text: string, most: number): number {
  let weight = 0;
  for (let at = 0; at < text.length && weight <= most; at += 1)
    weight += LATIN.test(text[at] ?? '') ? 1 : OTHER_WEIGHT;
  return weight;
}

/** The beginning of an over-long sentence, cut at a word boundary. */
function beginningOf(sentence: string): string {
  let weight = 0;
  let end = 0;
  while (end < sentence.length && weight < MAX_WEIGHT) {
    weight += LATIN.test(sentence[end] ?? '') ? 1 : OTHER_WEIGHT;
    end += 1;
  }
  const cut = sentence.slice(0, end);
  const lastBlank = cut.lastIndexOf(' ');
  return (lastBlank > end / 2 ? cut.slice(0, lastBlank) : cut).toWellFormed();
}
