import type { Indicator } from '@palabre/plugin';

import { loadGrid } from './grid.js';
import { loadCriteriaWords } from './criteria-words.js';
import { wordingOf } from '../wording.js';

/** Inconsistent criteria or words stop the start, not an analysis. */
const grid = loadGrid();
const words = loadCriteriaWords(grid);

/** The ESG grid in a BCP 47 language, else in English. */
export function esgIndicatorsIn(language: string): Indicator[] {
  const named = words[wordingOf(language).language];
  return [...grid.indicators.values()].map(({ id, pillar, weight }) => {
    const { title = id, question = id } = named.indicators[id] ?? {};
    return { code: id, label: title, question, weight, pillar };
  });
}
