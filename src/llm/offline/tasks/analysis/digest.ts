import { fold, tidy } from '../../reading/words/fold.js';
import { sentencesOf } from '../../reading/read.js';
import type { ExtractSentence } from './extract.js';

const mostSentences = 6;
const longestDigest = 1_200;
const shortestSentence = 25;
const shortestHan = 10;

const isWhole = (text: string): boolean =>
  text.length >= (/\p{Script=Han}/u.test(text) ? shortestHan : shortestSentence) &&
  /[.!?。！？]["”»」]?$/u.test(text);

/** What a sentence tells: a figure with its year most, a table's row little. */
const worthOf = (text: string): number =>
  (/\d/u.test(text) ? 1 : 0) +
  (/\b(?:19|20)\d{2}\b|\d\s?(?:%|％)/u.test(text) ? 1 : 0) -
  (text.includes('|') ? 1 : 0);

/** Those that tell most, with the first of all, in their order, each once. */
const chosen = (texts: readonly string[]): string[] => {
  const once = [...new Map(texts.map((text) => [fold(tidy(text)), text])).values()];
  const ranked = once
    .map((text, at) => ({ text, at, worth: at === 0 ? 9 : worthOf(text) }))
    .toSorted((one, other) => other.worth - one.worth || one.at - other.at);
  const kept: typeof ranked = [];
  let length = 0;
  for (const each of ranked) {
    if (kept.length === mostSentences || length + each.text.length > longestDigest) break;
    kept.push(each);
    length += each.text.length;
  }
  return kept.toSorted((one, other) => one.at - other.at).map(({ text }) => text);
};

const joined = (texts: readonly string[]): string =>
  texts.join(/\p{Script=Han}/u.test(texts.join('')) ? '' : ' ');

/** A document in its own words: the sentences that tell most. */
export const digestOf = (sentences: readonly ExtractSentence[]): string => {
  const whole = sentences.filter(({ isHeading, text }) => !isHeading && isWhole(text));
  const told = whole.length > 0 ? whole : sentences;
  return joined(chosen(told.map(({ text }) => text)));
};

/** So many of them, from the first to the last at even distances. */
const evenly = <Item>(items: readonly Item[], most: number): Item[] =>
  items.length <= most
    ? [...items]
    : Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)]).flatMap(
        (item) => item ?? [],
      );

/** One summary of several that are quoted: of many parts, what tells most of some from all over. */
export const digestOfSummaries = (task: string): string => {
  const parts = task
    .split(/^## \d+$/mu)
    .slice(1)
    .map((summary) => sentencesOf(summary.replaceAll(/^>\s?/gmu, '').trim()).slice(0, mostSentences));
  const told = evenly(parts, mostSentences);
  const each = Math.max(1, Math.floor(mostSentences / Math.max(1, told.length)));
  return joined(
    told.flatMap((sentences) => {
      const best = new Set(sentences.toSorted((one, other) => worthOf(other) - worthOf(one)).slice(0, each));
      return sentences.filter((sentence) => best.has(sentence));
    }),
  );
};
