import { loadGrid } from '../../skills/functions/esg/grid.js';
import { loadCriteriaWords } from '../../skills/functions/esg/wording/criteria-words.js';
import { wordingOf } from '../../skills/functions/esg/wording/speech.js';
import type { NamedIndicator } from './findings/merged-findings.js';

/** Criteria and words that do not hold together stop the start, not an analysis. */
const grid = loadGrid();
const words = loadCriteriaWords(grid);

/** An indicator as a model is asked to look for it. */
export interface AskedIndicator extends NamedIndicator {
  question: string;
}

/** The ESG grid in a BCP 47 language; English for one that it is not there in. */
export const esgIndicatorsIn = (language: string): AskedIndicator[] => {
  const named = words[wordingOf(language).language];
  return [...grid.indicators.values()].map(({ id, pillar, weight }) => {
    const { title = id, question = id } = named.indicators.get(id) ?? {};
    return { code: id, label: title, question, weight, pillar };
  });
};
