import type { TextSink } from '@palabre/llm-client';
import type { JsonObject } from '@palabre/json';

import { RETRIEVE_DOCUMENTS } from '../../../skills/functions/documents/document-skill-keys.js';
import type { TurnEntry } from '../../../conversations/turns/turn-event.js';
import type { AgentLoop, AgentResult } from '../agent-turn.js';
import { textsInAnswer } from '../structured-answer.js';
import { MarkerFilter } from './marker-filter.js';
import { RetrievalSkills } from './retrieval-skills.js';
import { Sources, sourcesIn } from './sources.js';

/** Updates `sources` in place, so that an interrupted answer can be cited too. */
export function withSources(strategy: AgentLoop, sources: Sources): AgentLoop {
  return (ports, turn, usage, signal) => {
    const earlier = turn.made.filter(({ skill }) => skill === RETRIEVE_DOCUMENTS);
    for (const { result } of earlier) sources.restore(sourcesIn(result ?? ''));
    const skills = new RetrievalSkills(ports.skills, sources, turn, ports.tokens);
    const text = new CitedText(ports.text, sources, earlier.length > 0, turn.answerSchema !== null);
    return withCitations(strategy({ ...ports, skills, text }, turn, usage, signal), sources, text);
  };
}

/** Removes markers of unknown sources from an answer once documents were searched. */
class CitedText implements TextSink {
  shown = '';
  private readonly filter: MarkerFilter;

  constructor(
    private readonly sink: TextSink,
    sources: Sources,
    public isSearched: boolean,
    /** The text is JSON, where `[1]` may be a list: no marker is removed. */
    private readonly isData: boolean,
  ) {
    this.filter = new MarkerFilter((marker) => sources.isKnown(marker));
  }

  get isReady(): boolean {
    return this.sink.isReady;
  }

  take(text: string): void {
    const told = this.filtered(text);
    if (told !== '') this.sink.take(told);
  }

  /** The text that is ready. May be empty. */
  filtered(text: string): string {
    const told = this.isSearched && !this.isData ? this.filter.push(text) : text;
    this.shown += told;
    return told;
  }

  /** The rest of the text at its end. */
  end(): string {
    const rest = this.filter.end();
    this.shown += rest;
    return rest;
  }

  get citing(): string {
    return this.isData ? textsInAnswer(this.shown) : this.shown;
  }

  reset(): void {
    this.filter.end();
    this.shown = '';
  }
}

async function* withCitations(
  steps: AsyncGenerator<TurnEntry, AgentResult>,
  sources: Sources,
  cited: CitedText,
): AsyncGenerator<TurnEntry, AgentResult> {
  const queries = new Map<string, string>();
  for (;;) {
    const next = await steps.next();
    if (next.done) {
      const rest = cited.end();
      if (rest !== '') yield { type: 'text-delta', text: rest };
      const result = next.value;
      return result.type === 'done' ? { ...result, citations: sources.citedIn(cited.citing) } : result;
    }
    const entry = next.value;
    if (entry.type === 'text-delta') {
      const text = cited.filtered(entry.text);
      if (text !== '') yield { ...entry, text };
      continue;
    }
    if (entry.type === 'text-reset') cited.reset();
    if (entry.type === 'skill-started' && entry.skill === RETRIEVE_DOCUMENTS) {
      cited.isSearched = true;
      queries.set(entry.callId, queryIn(entry.arguments));
    }
    // A search's own sources come just before its end. A later run need not repeat them, and reports those of a
    // repeated search for the first time.
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
