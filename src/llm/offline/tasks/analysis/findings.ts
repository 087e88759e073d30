import type { JsonObject } from '../../../../common/json.js';
import { digestOf } from './digest.js';
import { evidenceIn } from './evidence.js';
import { sentencesIn } from './extract.js';
import { figuresOf } from './figures.js';

/** What a task that shows pages of a document is answered with. `instructions`: where the indicators are listed. */
export function findingsIn(instructions: string, task: string): JsonObject {
  const sentences = sentencesIn(task);
  const esg = evidenceIn(instructions, sentences);
  return {
    summary: digestOf(sentences),
    figures: figuresOf(sentences),
    ...(/^- [A-Z]\d{2}: /mu.test(instructions) && { esg }),
  };
}
