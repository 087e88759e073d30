import { Injectable } from '@nestjs/common';

import { Database } from '../platform/database/database.js';
import { retryUntilConnected } from '../platform/database/retry-until-connected.js';
import { CallNotMade, type ChatPart, type ChatRequest } from '../llm/chat-model.js';
import type { Turn } from '../conversations/turns/turn.entity.js';
import { UsageService } from '../companies/usage/usage.service.js';
import { AgentModels } from './agent-models.service.js';
import type { ModelPort } from './loop/agent-ports.js';
import type { RunHandle } from './runs/running-turn.js';
import type { RunContext } from './turn-context.service.js';

/** The installation's models, as the loop of one turn calls them. */
@Injectable()
export class TurnModels {
  constructor(
    private readonly database: Database,
    private readonly models: AgentModels,
    private readonly usage: UsageService,
  ) {}

  /**
   * `hasQuotas`: something is granted to the member or the company, so that every call is refused once it is
   * used up: QuotaSpent.
   */
  portOf(
    turn: Turn,
    { assistant, hasQuotas, agentTurn }: Pick<RunContext, 'assistant' | 'hasQuotas' | 'agentTurn'>,
    run: Pick<RunHandle, 'record' | 'stored'>,
  ): ModelPort {
    const { companyId } = turn;
    const hasSummary = agentTurn.prompt.summary !== null;
    return {
      candidates: this.models.candidatesFor(assistant.model),
      windowOf: (model) => this.models.windowOf(model),
      caches: (model) => this.models.caches(model),
      stream: (request, signal) =>
        hasQuotas
          ? this.streamWithin(turn, run, { ...request, companyId }, signal)
          : this.models.stream({ ...request, companyId }, signal),
      record: ({ failure, historyDropped: _dropped, ...call }) => {
        this.models.learnFrom(call, failure);
        run.record(this.models.priced(call, { hasSummary }), failure);
      },
    };
  }

  private async *streamWithin(
    turn: Turn,
    run: Pick<RunHandle, 'stored'>,
    request: ChatRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ChatPart> {
    try {
      await this.refuseSpent(turn, run, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    if (signal.aborted) throw new CallNotMade(signal.reason);
    yield* this.models.stream(request, signal);
  }

  private async refuseSpent(
    { companyId, memberId }: Turn,
    run: Pick<RunHandle, 'stored'>,
    signal: AbortSignal,
  ): Promise<void> {
    // What the turn's own calls have used up counts.
    await run.stored();
    await retryUntilConnected(
      () => this.database.read(companyId, (tx) => this.usage.refuseSpent(tx, memberId)),
      signal,
    );
  }
}
