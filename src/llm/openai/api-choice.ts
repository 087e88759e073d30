import { LRUCache } from 'lru-cache';

import { lacksResponses, wantsResponses } from './refusal.js';
import { refusalOf } from './sdk-error.js';

/** The protocols in which a provider can be asked. */
export const modelApis = ['chat', 'responses'] as const;
export type ModelApi = (typeof modelApis)[number];

/** Names of models come from assistants too, which people write: no more of them are kept in mind. */
const MAX_MODELS = 200;

/** In which protocol each model of one provider is asked. */
export class ApiChoice {
  private readonly learnt = new LRUCache<string, ModelApi>({ max: MAX_MODELS });
  private hasResponses = true;

  constructor(
    private readonly wanted: 'auto' | ModelApi,
    /** What is known of a model before it is asked; of effect where the choice is free. */
    private readonly known: (model: string) => ModelApi,
  ) {}

  of(model: string): ModelApi {
    if (this.wanted !== 'auto') return this.wanted;
    return this.learnt.get(model) ?? (this.hasResponses ? this.known(model) : 'chat');
  }

  /** Takes from a refusal that the model is to be asked in the other protocol. False: it is not. */
  learn(model: string, asked: ModelApi, error: unknown): boolean {
    const answer = this.wanted === 'auto' ? refusalOf(error) : null;
    if (!answer) return false;
    if (asked === 'responses') {
      if (!lacksResponses(answer)) return false;
      // There is no such address: not for any other model either.
      if ([404, 405, 501].includes(answer.status)) this.hasResponses = false;
      this.learnt.set(model, 'chat');
      return true;
    }
    // Who has been there before, and came back, would go to and fro.
    if (!this.hasResponses || this.learnt.get(model) === 'chat' || !wantsResponses(answer)) return false;
    this.learnt.set(model, 'responses');
    return true;
  }
}
