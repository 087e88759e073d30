import { jest } from '@jest/globals';

import { AnalyzeDocumentSkill } from '../../src/skills/functions/documents/analyze-document.skill.js';
import { AwaitedAnalyses } from '../../src/skills/functions/documents/awaited-analyses.service.js';

const { wait } = AwaitedAnalyses.prototype;

/** Has turns wait so long for analyses, until mocks are restored. */
const waitFor = (mostMs: number): void => {
  jest.spyOn(AwaitedAnalyses.prototype, 'wait').mockImplementation(function (
    this: AwaitedAnalyses,
    id,
    waiting,
  ) {
    return wait.call(this, id, { ...waiting, mostMs });
  });
  jest.spyOn(AnalyzeDocumentSkill.prototype, 'timeoutMs', 'get').mockReturnValue(mostMs + 15_000);
};

/** A turn waits for the end of an analysis, however much else the machine does. */
export const patiently = (): void => waitFor(100_000);

/** A turn waits for no analysis for long. */
export const impatiently = (): void => waitFor(200);
