import { Injectable } from '@nestjs/common';
import type { ChatMessage } from '@palabre/llm-client';

import { DomainError } from '../common/errors/domain-error.js';
import type { Assistant } from '../companies/assistants/assistant.repository.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { Quotas } from '../companies/usage/quotas.service.js';
import type { AsidePurpose, ModelCallUsage } from '../conversations/turns/model-calls/model-call.js';
import { Database } from '../platform/database/database.js';
import { AgentModels } from './agent-models.service.js';
import { AsideCalls } from './aside-calls.service.js';

interface PlainCall {
  assistant: Assistant;
  messages: ChatMessage[];
  /** For metrics. Only this and the usage of a call are kept. */
  purpose: AsidePurpose;
  maxOutputTokens: number;
}

interface PlainAnswer {
  text: string;
  usage: ModelCallUsage;
  /** The token limit cut the answer. */
  isCut: boolean;
}

const MAX_SECONDS = 60;

/** Calls an assistant's model without its prompt, skills and memory. Only the usage is stored. */
@Injectable()
export class PlainCalls {
  constructor(
    private readonly database: Database,
    private readonly models: AgentModels,
    private readonly calls: AsideCalls,
    private readonly quotas: Quotas,
  ) {}

  /** Rejects with QuotaSpent, with UNAVAILABLE if the model returns nothing, and with the signal's reason. */
  async ask(
    { companyId, id: memberId }: Viewer,
    { assistant, messages, purpose, maxOutputTokens }: PlainCall,
    signal: AbortSignal,
  ): Promise<PlainAnswer> {
    const models = await this.models.ofUpkeep(companyId, assistant.model);
    await this.database.read(companyId, (tx) =>
      this.quotas.refuseSpent(tx, memberId, models, assistant.language),
    );
    const { parts, finish, failure, usage } = await this.calls.make(
      models,
      { messages, tools: [], maxOutputTokens },
      { companyId, turnId: null, memberId, assistantKey: assistant.key, purpose },
      { maxSeconds: MAX_SECONDS, signal },
    );
    if (failure) throw new DomainError('UNAVAILABLE', failure.message, {}, { cause: failure });
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return { text, usage, isCut: finish?.reason === 'length' };
  }
}
