import { Injectable } from '@nestjs/common';

import { DomainError } from '../common/errors/domain-error.js';
import { newId } from '../common/ids.js';
import type { Assistant } from '../companies/assistants/assistant.entity.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { UsageService } from '../companies/usage/usage.service.js';
import { type AsidePurpose, nothingUsed } from '../conversations/turns/model-calls/model-call.js';
import { ModelCalls } from '../conversations/turns/model-calls/model-calls.service.js';
import { type ChatMessage, type ChatPart, ModelError } from '../llm/chat-model.js';
import { Tokenizer } from '../llm/tokenizer.js';
import { Database } from '../platform/database/database.js';
import { AgentModels, type AssistantModels, type PricedCall } from './agent-models.service.js';

export interface PlainCall {
  assistant: Assistant;
  messages: ChatMessage[];
  /** For metrics: nothing else of the call is kept but what it used up. */
  purpose: AsidePurpose;
  maxOutputTokens: number;
}

export interface PlainAnswer {
  text: string;
  usage: PricedCall['usage'];
  /** It was cut off at the limit of tokens. */
  isCut: boolean;
}

/** A model that takes longer is left. */
const MAX_SECONDS = 60;

/** Calls of an assistant's model without the assistant: no prompt, no skills, no memory, and nothing stored but usage. */
@Injectable()
export class PlainCalls {
  constructor(
    private readonly database: Database,
    private readonly models: AgentModels,
    private readonly calls: ModelCalls,
    private readonly usage: UsageService,
    private readonly tokens: Tokenizer,
  ) {}

  /** Rejects with QuotaSpent, with UNAVAILABLE when the model gives nothing, and with the reason of `signal`. */
  async ask(viewer: Viewer, call: PlainCall, signal: AbortSignal): Promise<PlainAnswer> {
    const { companyId, id: memberId } = viewer;
    await this.database.read(companyId, (tx) => this.usage.refuseSpent(tx, memberId));
    const models = await this.models.ofUpkeep(companyId, call.assistant.model);
    const at = new Date();
    const { parts, failure } = await this.listen(companyId, models, call, signal);
    const finish = parts.find((part) => part.type === 'finish');
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const told = finish?.usage ?? this.estimated(call, text);
    const usage = { ...told, reasoningTokens: ('reasoningTokens' in told && told.reasoningTokens) || 0 };
    await this.count(viewer, call, models, {
      purpose: call.purpose,
      model: models.first,
      messages: [],
      tools: [],
      usage: parts.length === 0 ? nothingUsed : usage,
      outcome: failure?.code ?? finish?.reason ?? 'unknown',
      durationMs: Date.now() - at.getTime(),
      at,
    });
    if (failure) throw new DomainError('UNAVAILABLE', failure.message, {}, { cause: failure });
    return { text, usage, isCut: finish?.reason === 'length' };
  }

  private async listen(
    companyId: string,
    models: AssistantModels,
    { messages, maxOutputTokens }: PlainCall,
    signal: AbortSignal,
  ): Promise<{ parts: ChatPart[]; failure: ModelError | null }> {
    const parts: ChatPart[] = [];
    const overdue = AbortSignal.timeout(MAX_SECONDS * 1000);
    const request = { model: models.first, messages, tools: [], maxOutputTokens, companyId };
    try {
      for await (const part of models.stream(request, AbortSignal.any([signal, overdue]))) parts.push(part);
      return { parts, failure: null };
    } catch (error) {
      if (error instanceof ModelError) return { parts, failure: error };
      if (!overdue.aborted || signal.aborted) throw error;
      return { parts, failure: new ModelError('MODEL_UNAVAILABLE', 'The model took too long.', true) };
    }
  }

  private estimated({ messages }: PlainCall, text: string): PricedCall['usage'] {
    const inputTokens = this.tokens.count(JSON.stringify(messages));
    return { ...nothingUsed, inputTokens, outputTokens: this.tokens.count(text) };
  }

  private async count(
    { companyId, id: memberId }: Viewer,
    { assistant }: PlainCall,
    models: AssistantModels,
    record: PricedCall,
  ): Promise<void> {
    const ofCall = { id: newId(), kept: 0, memberId, assistantKey: assistant.key };
    const call = { ...models.priced(record, { hasSummary: false }), ...ofCall };
    // Of no turn, so that it is only counted.
    await this.database.transaction(companyId, (tx) =>
      this.calls.addAside(tx, { companyId, turnId: newId(), call }),
    );
  }
}
