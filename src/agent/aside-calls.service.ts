import { Injectable } from '@nestjs/common';
import { CallNotMade, type ChatPart, type ChatRequest, ModelError, Tokenizer } from '@palabre/llm-client';

import { newId } from '../common/ids.js';
import {
  type AsidePurpose,
  type ModelCallUsage,
  nothingUsed,
  type Payer,
} from '../conversations/turns/model-calls/model-call.js';
import { ModelCalls } from '../conversations/turns/model-calls/model-calls.service.js';
import { Database } from '../platform/database/database.js';
import type { AssistantModels } from './agent-models.service.js';

/** Whose call it is, and what it is for. */
export interface AsideFor extends Payer {
  companyId: string;
  /** Null: of no turn, so that nothing of it is kept but what it used up. */
  turnId: string | null;
  purpose: AsidePurpose;
}

/** What is asked of the first of the models. */
export type AsideRequest = Omit<ChatRequest, 'model' | 'companyId'>;

export interface AsideAnswer {
  parts: ChatPart[];
  finish: Extract<ChatPart, { type: 'finish' }> | undefined;
  /** Null: the answer came to its end. */
  failure: ModelError | null;
  usage: ModelCallUsage;
}

const crowded = new ModelError('MODEL_UNAVAILABLE', 'There was no room for the call.', true);
const tooSlow = new ModelError('MODEL_UNAVAILABLE', 'The model took too long.', true);

/** Model calls beside the turns: each is counted, however it ends. */
@Injectable()
export class AsideCalls {
  constructor(
    private readonly database: Database,
    private readonly calls: ModelCalls,
    private readonly tokens: Tokenizer,
  ) {}

  /** A model that takes longer than `maxSeconds` is left. Rejects when the database does, or `signal` is aborted. */
  async make(
    models: AssistantModels,
    request: AsideRequest,
    { companyId, turnId, purpose, ...payer }: AsideFor,
    { maxSeconds, signal }: { maxSeconds: number; signal: AbortSignal },
  ): Promise<AsideAnswer> {
    const at = new Date();
    const asked = { ...request, model: models.first, companyId };
    // Not the job's own time, or the job would be done again, and again take too long.
    const overdue = AbortSignal.timeout(maxSeconds * 1000);
    const { parts, failure } = await heard(models, asked, { overdue, signal });
    const finish = parts.find((part) => part.type === 'finish');
    const usage = this.usageOf(request, parts, failure);
    const record = {
      purpose,
      model: models.first,
      messages: request.messages,
      tools: request.tools,
      usage,
      outcome: failure?.code ?? finish?.reason ?? 'unknown',
      durationMs: Date.now() - at.getTime(),
      at,
    };
    const call = { ...models.priced(record, { hasSummary: false }), ...payer, id: newId(), kept: 0 };
    await this.database.transaction(companyId, (tx) =>
      this.calls.addAside(tx, { companyId, turnId: turnId ?? newId(), call }),
    );
    return { parts, finish, failure, usage };
  }

  /** What the provider counted; for a call that broke off, an estimate. */
  private usageOf(
    { messages, tools }: AsideRequest,
    parts: readonly ChatPart[],
    failure: ModelError | null,
  ): ModelCallUsage {
    const told = parts.find((part) => part.type === 'finish')?.usage;
    if (told) return { ...told, reasoningTokens: told.reasoningTokens ?? 0 };
    // A provider that refused, or was not there, did nothing; one that we left may have begun.
    if (parts.length === 0 && failure !== tooSlow) return nothingUsed;
    const said = parts.map((part) => ('text' in part ? part.text : '')).join('');
    const inputTokens = this.tokens.count(JSON.stringify([messages, tools]));
    return { ...nothingUsed, inputTokens, outputTokens: this.tokens.count(said) };
  }
}

async function heard(
  models: AssistantModels,
  request: ChatRequest & { model: string },
  { overdue, signal }: { overdue: AbortSignal; signal: AbortSignal },
): Promise<Pick<AsideAnswer, 'parts' | 'failure'>> {
  const parts: ChatPart[] = [];
  try {
    for await (const part of models.stream(request, AbortSignal.any([signal, overdue]))) parts.push(part);
    return { parts, failure: null };
  } catch (error) {
    if (error instanceof ModelError) return { parts, failure: error };
    if (!overdue.aborted || signal.aborted) throw error;
    return { parts, failure: error instanceof CallNotMade ? crowded : tooSlow };
  }
}
