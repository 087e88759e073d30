import { LRUCache } from 'lru-cache';

import { lacksResponses, wantsResponses } from './refusal.js';
import { refusalOf } from './call-error.js';

/** The protocols of providers. */
export const modelApis = ['chat', 'responses'] as const;
export type ModelApi = (typeof modelApis)[number];

/** A limit, because assistants may name any model. */
const MAX_MODELS = 200;

/** The protocol for each model of one provider. */
export class ApiChoice {
  private readonly learnt = new LRUCache<string, ModelApi>({ max: MAX_MODELS });
  private hasResponses = true;

  constructor(
    private readonly wanted: 'auto' | ModelApi,
    /** Known facts of a model, used where the choice is free. */
    private readonly known: (model: string) => ModelApi,
  ) {}

  of(model: string): ModelApi {
    if (this.wanted !== 'auto') return this.wanted;
    return this.learnt.get(model) ?? (this.hasResponses ? this.known(model) : 'chat');
  }

  /** Learns from a refusal. True: repeat the request in the other protocol. */
  learn(model: string, asked: ModelApi, error: unknown): boolean {
    const answer = this.wanted === 'auto' ? refusalOf(error) : null;
    if (!answer) return false;
    if (asked === 'responses') {
      if (!lacksResponses(answer)) return false;
      // The provider has no such endpoint for any model.
      if ([404, 405, 501].includes(answer.status)) this.hasResponses = false;
      this.learnt.set(model, 'chat');
      return true;
    }
    // A model that was sent back to chat completions stays there.
    if (!this.hasResponses || this.learnt.get(model) === 'chat' || !wantsResponses(answer)) return false;
    this.learnt.set(model, 'responses');
    return true;
  }
}
