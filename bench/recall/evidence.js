/** How much of what answers a question is in its context. */
import { contentWordsOf } from '@palabre/lexical';

import { wordsOf } from './baseline.js';

const ENOUGH = 3 / 5;

function onOneLine(text) {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** The share of the messages that are in it: by their text, or by three fifths of their content words in one line. */
export function evidenceRecall(gold, context) {
  const lines = context.split('\n').map((line) => new Set(wordsOf(line)));
  const isThere = ({ text }) => {
    if (context.includes(onOneLine(text))) return true;
    const words = [...new Set(wordsOf(contentWordsOf(text)))];
    return lines.some((line) => words.filter((word) => line.has(word)).length >= words.length * ENOUGH);
  };
  return gold.filter(isThere).length / gold.length;
}
