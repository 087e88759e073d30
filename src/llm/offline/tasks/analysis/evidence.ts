import type { JsonObject } from '../../../../common/json.js';
import { esgSigns, meantAsNo } from './esg-signs.js';
import type { ExtractSentence } from './extract.js';

const listed = /^- ([A-Z]\d{2}): /gmu;
const shortest = 20;
const shortestHan = 8;

/** What is not there, or is only thought of, supports nothing. */
const notSo =
  /\bn'\w+(?: \w+)? (?:pas|aucun\w*)\b|\bne \w+(?: \w+)? (?:pas|aucun\w*)\b|\bpas encore\b|\baucune? (?!d[ée]ces)|\benvisag|\ba l'etude\b|\bnot yet\b|\bhas not\b|\bhave not\b|\bno (?:se ha|tenemos|existe|dispone)|\baun no\b|尚未|沒有|未曾/u;

const isSupport = (code: string, sign: RegExp, { folded, isHeading, text }: ExtractSentence): boolean => {
  const least = /\p{Script=Han}/u.test(text) ? shortestHan : shortest;
  return (
    !isHeading && text.length >= least && sign.test(folded) && (meantAsNo.has(code) || !notSo.test(folded))
  );
};

/** The first sentence about each indicator that the task lists. */
export const evidenceIn = (task: string, sentences: readonly ExtractSentence[]): JsonObject[] =>
  Array.from(task.matchAll(listed), ([, code = '']) => code).flatMap((code) => {
    const sign = esgSigns[code];
    const found = sign && sentences.find((sentence) => isSupport(code, sign, sentence));
    return found ? [{ code, page: found.page, quote: found.text }] : [];
  });
