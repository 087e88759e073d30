import { AnalyzeDocumentSkill } from '../../src/skills/functions/documents/analyze-document.skill.js';
import { AwaitedAnalyses } from '../../src/skills/functions/documents/awaited-analyses.service.js';

const { wait } = AwaitedAnalyses.prototype;

/** Has turns wait so long for analyses, until mocks are restored. */
function waitFor(maxMs: number): void {
  vi.spyOn(AwaitedAnalyses.prototype, 'wait').mockImplementation(function (
    this: AwaitedAnalyses,
    id,
    waiting,
  ) {
    return wait.call(this, id, { ...waiting, maxMs });
  });
  vi.spyOn(AnalyzeDocumentSkill.prototype, 'timeoutMs', 'get').mockReturnValue(maxMs + 15_000);
}

/** A turn waits for the end of an analysis, however much else the machine does. */
export function patiently(): void {
  return waitFor(100_000);
}

/** A turn waits for no analysis for long. */
export function impatiently(): void {
  return waitFor(200);
}
