import { APIError } from 'openai';
import type { ChatRequest } from '../chat-model.js';
import { commonDialect, type Dialect, forcesTool } from './chat-request-body.js';
import { usesAfter } from './echo-uses.js';
import type { UnopenedThoughts } from './completion-reader.js';
import {
  refusesCallIds,
  refusesEffort,
  refusesForcedTool,
  refusesParameter,
  refusesTools,
  wantsToolsBesideCalls,
} from './provider-error.js';
import { bodyOf } from './sdk-error.js';

/** What the models at one provider turned out to want. */
export class Dialects {
  /** Only models that want something else than most. */
  private readonly known = new Map<string, Dialect>();
  /** Models whose text begins in the midst of thoughts. */
  private readonly thinkers = new Set<string>();

  /** `onToolless` is told of a model, once, that can call nothing. */
  constructor(private readonly onToolless: (model: string) => void = () => undefined) {}

  of(model: string): Dialect {
    return this.known.get(model) ?? commonDialect;
  }

  /** Whether a model's text begins in the midst of thoughts, for who finds out. */
  unopenedThoughtsOf(model: string): UnopenedThoughts {
    return {
      areExpected: this.thinkers.has(model),
      expect: (areExpected) => void (areExpected ? this.thinkers.add(model) : this.thinkers.delete(model)),
    };
  }

  /** Takes from a refusal what is to be said otherwise. False: nothing that would please the provider. */
  learn(model: string, dialect: Dialect, request: ChatRequest, error: unknown): boolean {
    const change = changeFor(dialect, request, error);
    if (change === null) return false;
    const known = this.of(model);
    this.known.set(model, { ...known, ...change });
    if (change.tools === false && known.tools) this.onToolless(model);
    // What was taken back has been tried: the same request would go to and fro.
    return change.thinksBesideTools !== true;
  }
}

/** The change of dialect that the refusal suggests; null: none. */
function changeFor(dialect: Dialect, request: ChatRequest, error: unknown): Partial<Dialect> | null {
  if (!(error instanceof APIError) || typeof error.status !== 'number') return null;
  const answer = { status: error.status, body: bodyOf(error) };
  if (dialect.streamOptions && refusesParameter(answer, 'stream_options')) return { streamOptions: false };
  if (dialect.maxTokensName === 'max_tokens' && refusesParameter(answer, 'max_tokens')) {
    return { maxTokensName: 'max_completion_tokens' };
  }
  const echoes = usesAfter(dialect.echoes, request, answer);
  if (echoes) return { echoes };
  if (dialect.callIdsOfOthers && refusesCallIds(answer)) return { callIdsOfOthers: false };
  if (!dialect.tools) return null;
  if (request.tools.length === 0) {
    return dialect.callsWithoutTools && wantsToolsBesideCalls(answer) ? { callsWithoutTools: false } : null;
  }
  if (dialect.forcedTools && forcesTool(request) && refusesForcedTool(answer)) return { forcedTools: false };
  const isAboutEffort = refusesEffort(answer);
  if (dialect.thinksBesideTools && isAboutEffort) return { thinksBesideTools: false };
  if (refusesTools(answer)) return { tools: false };
  // `none` is no cure: what follows is asked as if it had never been tried.
  return isAboutEffort ? { thinksBesideTools: true } : null;
}
