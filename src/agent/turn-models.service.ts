import { Injectable } from '@nestjs/common';
import { CallNotMade, type ChatPart } from '@palabre/llm-client';

import { Database } from '../platform/database/database.js';
import { retryUntilConnected } from '../platform/database/retry-until-connected.js';
import type { Turn } from '../conversations/turns/turn.entity.js';
import { Quotas } from '../companies/usage/quotas.service.js';
import { AgentModels, type AssistantModels } from './agent-models.service.js';
import type { ModelPort, NamedRequest } from './loop/agent-ports.js';
import type { RunHandle } from './runs/running-turn.js';
import type { RunContext } from './turn-context.service.js';

/** The models of an assistant, and the language for messages about quotas. */
interface AskedModels {
  models: AssistantModels;
  language: string;
}

/** The models for the loop of one turn. */
@Injectable()
export class TurnModels {
  constructor(
    private readonly database: Database,
    private readonly models: AgentModels,
    private readonly quotas: Quotas,
  ) {}

  /** `hasQuotas`: each call is refused with QuotaSpent once a quota is used up. */
  async portOf(
    turn: Turn,
    { assistant, hasQuotas, agentTurn }: Pick<RunContext, 'assistant' | 'hasQuotas' | 'agentTurn'>,
    run: Pick<RunHandle, 'record' | 'stored'>,
  ): Promise<ModelPort> {
    const { companyId, conversationId: cacheKey } = turn;
    const hasSummary = agentTurn.prompt.summary !== null;
    const { reasoningEffort } = assistant;
    const models = await this.models.of(companyId, assistant.model);
    const stream = (request: NamedRequest, signal: AbortSignal): AsyncIterable<ChatPart> =>
      models.stream({ ...request, companyId, cacheKey, ...(reasoningEffort && { reasoningEffort }) }, signal);
    return {
      candidates: models.candidates,
      abilitiesOf: (model) => models.abilitiesOf(model),
      stream: (request, signal) =>
        hasQuotas
          ? this.streamWithin(
              turn,
              { models, language: assistant.language },
              run,
              () => stream(request, signal),
              signal,
            )
          : stream(request, signal),
      record: ({ failure, historyDropped: _dropped, ...call }) => {
        models.learnFrom(call, failure);
        run.record(models.priced(call, { hasSummary }), failure);
      },
    };
  }

  private async *streamWithin(
    turn: Turn,
    asked: AskedModels,
    run: Pick<RunHandle, 'stored'>,
    stream: () => AsyncIterable<ChatPart>,
    signal: AbortSignal,
  ): AsyncGenerator<ChatPart> {
    try {
      await this.refuseSpent(turn, asked, run, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    if (signal.aborted) throw new CallNotMade(signal.reason);
    yield* stream();
  }

  private async refuseSpent(
    { companyId, memberId }: Turn,
    { models: { provider }, language }: AskedModels,
    run: Pick<RunHandle, 'stored'>,
    signal: AbortSignal,
  ): Promise<void> {
    // The turn's own usage counts.
    await run.stored();
    await retryUntilConnected(
      () =>
        this.database.read(companyId, (tx) => this.quotas.refuseSpent(tx, memberId, { provider }, language)),
      signal,
    );
  }
}
