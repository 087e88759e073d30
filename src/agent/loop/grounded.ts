import type { ToolSpec } from '@palabre/llm-client';

import { RETRIEVE_DOCUMENTS } from '../../skills/functions/documents/document-skill-keys.js';
import { parseArguments } from '../../skills/skill-arguments.js';
import type { TurnEntry } from '../../conversations/turns/turn-event.js';
import type { SkillOffer } from './agent-ports.js';
import { type AgentRun, beginRun, nextOffer } from './agent-run.js';
import type { AgentLoop } from './agent-turn.js';
import type { Said } from './model-call.js';
import { answer } from './reactive.js';
import { callSkills, resumeSteps } from './skills/skill-calls.js';
import { searchForQuestion } from './sources/retrieval-skills.js';
import { callModelBeforeDeadline } from './call-deadline.js';

/** Searches the documents before the answer if there are any, the turn may, and the assistant does not decide. */
export const grounded: AgentLoop = async function* (ports, turn, usage, signal) {
  const run = beginRun(ports, turn, usage, signal);
  const { steps, inputs: needed } = yield* resumeSteps(run);
  if (needed.length > 0) return { type: 'waiting', inputs: needed };
  const isForced = turn.documents.areThere && turn.retrieval === 'FORCED';
  if (isForced && steps.length === 0 && run.phase.skillsLeftMs > 0) {
    const offer = await nextOffer(run);
    const retrieve = offer.tools.find(({ name }) => name === RETRIEVE_DOCUMENTS);
    if (retrieve) {
      const asked = yield* askForSearch(run, offer, retrieve);
      if (asked.calls.length > 0) {
        const { calls, inputs } = yield* callSkills(run, asked, steps);
        if (inputs.length > 0) return { type: 'waiting', inputs };
        steps.push({ ...asked, calls });
      }
    }
  }
  return yield* answer(run, steps);
};

type Search = Pick<Said, 'text' | 'calls' | 'echo'>;

/** Returns no call if this used all the time for skills. Text of the model besides is not the answer. */
async function* askForSearch(
  run: AgentRun,
  offer: SkillOffer,
  retrieve: ToolSpec,
): AsyncGenerator<TurnEntry, Search> {
  const said = yield* callModelBeforeDeadline(run, {
    purpose: 'PLAN',
    steps: [],
    offer,
    tools: () => [retrieve],
    toolChoice: { name: RETRIEVE_DOCUMENTS },
    isShown: false,
  });
  if ('stopped' in said) return { text: '', calls: [] };
  const searches = said.calls.filter(
    ({ name, arguments: text, isCut }) =>
      name === RETRIEVE_DOCUMENTS && !isCut && parseArguments(text) !== null,
  );
  return searches.length > 0
    ? { text: '', calls: searches, echo: said.echo }
    : { text: '', calls: [searchForQuestion(run.ports.skills, run.turn.prompt)] };
}
