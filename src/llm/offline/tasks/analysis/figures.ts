import type { JsonObject } from '../../../../common/json.js';
import type { Quantity } from '../../reading/numbers/quantity.js';
import { findQuantities } from '../../reading/numbers/quantities.js';
import { shortened } from '../../wording/shortened.js';
import { cellsOf, type ExtractSentence } from './extract.js';

const mostFigures = 10;
const longestLabel = 110;
const shortestLabel = 8;
const longestUnit = 30;

interface Candidate {
  figure: JsonObject;
  score: number;
}

const year = /\b(?:19|20)\d{2}\b/u;

/** A year, a date or the number of a chapter is no amount. */
const isAmount = (sentence: ExtractSentence, { start, numberEnd, value, unit }: Quantity): boolean => {
  const written = sentence.text.slice(start, numberEnd);
  if (!/\d/u.test(written)) return false;
  if (unit) return unit.dimension !== 'time' || value >= 5;
  if (year.test(written)) return false;
  return value >= 10 && /^ ?\p{L}{3,}/u.test(sentence.text.slice(numberEnd));
};

const between = /[,;:] | et | and | y |[，、；]/u;

/** What an amount is: in a table its row and column, else the part of the sentence that it stands in. */
const labelOf = ({ text, columns }: ExtractSentence, { start, end }: Quantity): string => {
  if (text.includes('|')) {
    const [row = ''] = cellsOf(text);
    const column = columns[text.slice(0, start).split('|').length - 1] ?? '';
    return shortened([row, column].filter((part) => part !== '').join(', '), longestLabel);
  }
  const before = text.slice(0, start).split(between).at(-1) ?? '';
  const after = text.slice(end).split(between)[0] ?? '';
  const part = `${before}${text.slice(start, end)}${after}`;
  const label = before.length + after.length < shortestLabel ? text : part;
  return shortened(label.replace(/[.!?。！？]+$/u, ''), longestLabel);
};

const candidateOf = (sentence: ExtractSentence, quantity: Quantity): Candidate => {
  const { text, page } = sentence;
  const { start, numberEnd, end, unit } = quantity;
  const hasYear = year.test(text);
  return {
    figure: {
      label: labelOf(sentence, quantity),
      value: text.slice(start, numberEnd).trim(),
      unit: text.slice(numberEnd, end).trim().slice(0, longestUnit),
      page,
      quote: text,
    },
    score: (unit ? 2 : 0) + (hasYear ? 1 : 0) + (unit?.dimension === 'time' ? -1 : 0),
  };
};

/** The figures of a document with the sentences that they stand in: those with a unit and a year first. */
export const figuresOf = (sentences: readonly ExtractSentence[]): JsonObject[] =>
  sentences
    .filter(({ isHeading, text }) => !isHeading && /\d/u.test(text))
    .flatMap((sentence) =>
      findQuantities(sentence.text, sentence.folded)
        .filter((quantity) => isAmount(sentence, quantity))
        .slice(0, 3)
        .map((quantity) => candidateOf(sentence, quantity)),
    )
    .toSorted((one, other) => other.score - one.score)
    .slice(0, mostFigures)
    .map(({ figure }) => figure);
