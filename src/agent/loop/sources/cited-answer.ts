import type { JsonObject } from '../../../common/json.js';
import { RETRIEVE_DOCUMENTS } from '../../../skills/functions/documents/document-skill-keys.js';
import type { TurnEntry } from '../../../conversations/turns/turn-event.js';
import type { AgentResult, AgentTurn, AgentLoop } from '../agent-turn.js';
import { MarkerFilter } from './marker-filter.js';
import { RetrievalSkills } from './retrieval-skills.js';
import { Sources, sourcesIn } from './sources.js';

/**
 * A strategy whose turns may search the company's documents: sources are told as they are found and numbered from 1 on,
 * markers of others are dropped from the answer, and its end has the citations. Where nothing was searched the text stays
 * as it is. `sources` are kept in place, so that an answer that breaks off can be cited as well.
 */
export function withSources(strategy: AgentLoop, sources: Sources): AgentLoop {
  return (ports, turn, usage, signal) => {
    const earlier = turn.made.filter(({ skill }) => skill === RETRIEVE_DOCUMENTS);
    for (const { result } of earlier) sources.restore(sourcesIn(result ?? ''));
    const skills = new RetrievalSkills(ports.skills, sources, turn, ports.tokens);
    const steps = strategy({ ...ports, skills }, turn, usage, signal);
    return withCitations(steps, sources, earlier);
  };
}

async function* withCitations(
  steps: AsyncGenerator<TurnEntry, AgentResult>,
  sources: Sources,
  earlier: AgentTurn['made'],
): AsyncGenerator<TurnEntry, AgentResult> {
  let isSearched = earlier.length > 0;
  const filter = new MarkerFilter((marker) => sources.isKnown(marker));
  let shown = '';
  /** By call: what was searched for. */
  const queries = new Map<string, string>();
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
      const text = isSearched ? filter.push(entry.text) : entry.text;
      shown += text;
      if (text !== '') yield { ...entry, text };
      continue;
    }
    if (entry.type === 'text-reset') {
      filter.end();
      shown = '';
    }
    if (entry.type === 'skill-started' && entry.skill === RETRIEVE_DOCUMENTS) {
      isSearched = true;
      queries.set(entry.callId, queryIn(entry.arguments));
    }
    // Each search's own, just before it is told to be over: a run that goes on from there need not tell of them again,
    // and tells of those of a search that it has to repeat for the first time.
    const found = isSearchEnd(entry)
      ? sources.takeUntold(sourcesIn(entry.result ?? ''), queries.get(entry.callId) ?? '')
      : [];
    if (found.length > 0) yield { type: 'sources-found', sources: found };
    yield entry;
  }
}

function queryIn({ query }: JsonObject): string {
  return typeof query === 'string' ? query : '';
}

function isSearchEnd(entry: TurnEntry): entry is Extract<TurnEntry, { type: 'skill-finished' }> {
  return entry.type === 'skill-finished' && entry.skill === RETRIEVE_DOCUMENTS;
}
