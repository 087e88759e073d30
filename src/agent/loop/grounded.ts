import type { ToolCall } from '../../llm/chat-model.js';
import type { TurnEntry } from '../../turns/turn-event.js';
import { type AgentRun, beginRun } from './agent-run.js';
import type { AgentResult, AgentTurn, RunTurn } from './agent-turn.js';
import { MarkerFilter } from './sources/marker-filter.js';
import { callModel } from './model-call/model-call.js';
import { answer, reactive } from './reactive.js';
import { RETRIEVE_DOCUMENTS, RetrievalSkills } from './sources/retrieval-skills.js';
import { callSkills, resumeSteps } from './skills/skill-calls.js';
import { Sources, sourcesIn } from './sources/sources.js';

/**
 * The GROUNDED strategy: the company's documents are searched before anything is said, then it goes on as REACTIVE, and
 * the answer cites what was found. Without documents, and without searches of an earlier run, it is REACTIVE.
 */
export const grounded: RunTurn = async function* (ports, turn, usage, signal) {
  const earlier = searchesOf(turn);
  if (earlier.length === 0 && !(await ports.retrieval.hasDocuments(signal))) {
    return yield* reactive(ports, turn, usage, signal);
  }
  const sources = new Sources();
  for (const { result } of earlier) sources.restore(sourcesIn(result ?? ''));
  const skills = new RetrievalSkills(ports.skills, ports.retrieval, sources, turn.prompt);
  const run = beginRun({ ...ports, skills }, turn, usage, signal);
  return yield* withCitations(takeSteps(run, skills), sources);
};

const searchesOf = ({ made }: AgentTurn): AgentTurn['made'] =>
  made.filter(({ skill }) => skill === RETRIEVE_DOCUMENTS);

async function* takeSteps(run: AgentRun, skills: RetrievalSkills): AsyncGenerator<TurnEntry, AgentResult> {
  const steps = yield* resumeSteps(run);
  if (steps.length === 0 && run.phase.skillsLeftMs > 0) {
    const calls = yield* askForSearch(run, skills);
    const searched = yield* callSkills(run, { text: '', calls }, steps);
    steps.push({ text: '', calls: searched.calls });
  }
  return yield* answer(run, steps);
}

/** What the model wants to search for. What it says besides is no answer: it has seen nothing yet. */
async function* askForSearch(run: AgentRun, skills: RetrievalSkills): AsyncGenerator<TurnEntry, ToolCall[]> {
  const said = yield* callModel(run, {
    purpose: 'PLAN',
    steps: [],
    offer: await run.ports.skills.list(),
    tools: [skills.retrieve],
    toolChoice: { name: RETRIEVE_DOCUMENTS },
    isShown: false,
  });
  const searches = said.calls.filter(({ name }) => name === RETRIEVE_DOCUMENTS);
  return searches.length > 0 ? searches : [skills.searchForQuestion()];
}

/** What `steps` tell, with the sources that were found, without markers of others, and the citations at the end. */
async function* withCitations(
  steps: AsyncGenerator<TurnEntry, AgentResult>,
  sources: Sources,
): AsyncGenerator<TurnEntry, AgentResult> {
  const filter = new MarkerFilter((marker) => sources.isKnown(marker));
  let shown = '';
  for (;;) {
    const next = await steps.next();
    if (next.done) {
      const rest = filter.end();
      if (rest !== '') yield { type: 'text-delta', text: rest };
      const result = next.value;
      return result.type === 'done' ? { ...result, citations: sources.citedIn(shown + rest) } : result;
    }
    const entry = next.value;
    if (entry.type === 'text-delta') {
      const text = filter.push(entry.text);
      shown += text;
      if (text !== '') yield { ...entry, text };
      continue;
    }
    if (entry.type === 'text-reset') {
      filter.end();
      shown = '';
    }
    // Before the search is told to be over: a run that goes on from there need not tell of its sources again.
    const found = entry.type === 'skill-finished' ? sources.takeUntold() : [];
    if (found.length > 0) yield { type: 'sources-found', sources: found };
    yield entry;
  }
}
