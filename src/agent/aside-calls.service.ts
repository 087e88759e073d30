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

export interface AsideFor extends Payer {
  companyId: string;
  /** Null: no turn, so only the usage is kept. */
  turnId: string | null;
  purpose: AsidePurpose;
}

type AsideRequest = Omit<ChatRequest, 'model' | 'companyId'>;

interface AsideAnswer {
  parts: ChatPart[];
  finish: Extract<ChatPart, { type: 'finish' }> | undefined;
  /** Null: the answer is complete. */
  failure: ModelError | null;
  usage: ModelCallUsage;
}

const crowded = new ModelError('MODEL_UNAVAILABLE', 'There was no room for the call.', true);
const tooSlow = new ModelError('MODEL_UNAVAILABLE', 'The model took too long.', true);

/** Model calls besides the turns' own. Each is counted, however it ends. */
@Injectable()
export class AsideCalls {
  constructor(
    private readonly database: Database,
    private readonly calls: ModelCalls,
    private readonly tokens: Tokenizer,
  ) {}

  /** Leaves a model that takes longer than `maxSeconds`. Rejects if the database fails or `signal` is aborted. */
  async make(
    models: AssistantModels,
    request: AsideRequest,
    { companyId, turnId, purpose, ...payer }: AsideFor,
    { maxSeconds, signal }: { maxSeconds: number; signal: AbortSignal },
  ): Promise<AsideAnswer> {
    const at = new Date();
    const asked = { ...request, model: models.first, companyId };
    // Shorter than the job's own limit, because a timed-out job is repeated and would time out again.
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

  /** The provider's count, or an estimate for a broken call. */
  private usageOf(
    { messages, tools }: AsideRequest,
    parts: readonly ChatPart[],
    failure: ModelError | null,
  ): ModelCallUsage {
    const told = parts.find((part) => part.type === 'finish')?.usage;
    if (told) return { ...told, reasoningTokens: told.reasoningTokens ?? 0 };
    // A provider that refused or was unreachable did no work. One that we left may have started.
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
