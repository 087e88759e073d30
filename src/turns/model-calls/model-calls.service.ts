import { Injectable } from '@nestjs/common';

import type { Viewer } from '../../auth/viewer.js';
import type { ChatMessage, ToolSpec } from '../../llm/chat-model.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { Metrics } from '../../metrics/metrics.js';
import { isAddedTo } from '../log/writing/added-turns.js';
import type { ModelCall } from './model-call.entity.js';
import { ModelCallRepository, type ModelCallRow, type TurnModelCall } from './model-call.repository.js';
import { wholePrompts } from './prompt-deltas.js';
import { PromptTextRepository, type UsedText } from './prompt-text.repository.js';
import { digestsIn, fromStored, toolsFromStored, toStored } from './stored-messages.js';

/** More than a turn comes to by itself; the analyses of long documents beside it may be more together. */
const MOST_CALLS = 500;

/** A model call with its whole prompt. */
export interface ModelCallView extends Omit<ModelCall, 'kept' | 'messages' | 'tools'> {
  messages: ChatMessage[];
  tools: ToolSpec[];
}

/** Keeps the model calls of turns: what was sent, and what it cost. */
@Injectable()
export class ModelCalls {
  constructor(
    private readonly database: Database,
    private readonly calls: ModelCallRepository,
    private readonly texts: PromptTextRepository,
    private readonly metrics: Metrics,
  ) {}

  /** Stores calls of any companies' turns with events that are added to these, right behind them, and counts them. */
  async add(tx: Transaction, calls: readonly TurnModelCall[]): Promise<void> {
    if (calls.length === 0) return;
    tx.afterCommit(() => this.count(calls));
    await this.store(tx, calls, isAddedTo('turn_id'));
  }

  private async store(tx: Transaction, calls: readonly TurnModelCall[], condition: string): Promise<void> {
    const texts: (UsedText & { turnId: string })[] = [];
    const rows = calls.map(({ companyId, turnId, call }): ModelCallRow => {
      const prompt = toStored(call);
      const { memberId } = call;
      for (const [digest, content] of prompt.texts)
        texts.push({ companyId, turnId, memberId, digest, content });
      return { companyId, turnId, call, prompt };
    });
    this.calls.insert(tx, rows, condition);
    await this.texts.keep(tx, texts, new Date(), condition);
  }

  /** Stores a call that was made beside its turn. A turn that is gone by now takes its prompt with it. */
  async addAside(tx: Transaction, call: TurnModelCall): Promise<void> {
    tx.afterCommit(() => this.count([call]));
    if (await this.calls.holdTurn(tx, call.turnId)) await this.store(tx, [call], 'true');
    else this.calls.insert(tx, [{ ...call, prompt: null }], 'true');
  }

  private count(calls: readonly TurnModelCall[]): void {
    for (const { call } of calls) {
      const { usage, durationMs, ...rest } = call;
      this.metrics.modelCalled({ ...rest, ...usage, seconds: durationMs / 1000 });
    }
  }

  /** Those of a turn that the viewer has been given, in their order; none unless an admin asks. */
  async list(viewer: Viewer, turnId: string): Promise<ModelCallView[]> {
    if (viewer.role === 'MEMBER') return [];
    const { calls, texts } = await this.database.read(viewer.companyId, async (tx) => {
      const found = await this.calls.list(tx, turnId, MOST_CALLS);
      const digests = new Set(found.flatMap(digestsIn));
      return { calls: found, texts: await this.texts.find(tx, [...digests]) };
    });
    const prompts = wholePrompts(
      calls.map(({ purpose, kept, messages }) => ({ purpose, kept, messages: fromStored(messages, texts) })),
    );
    return calls.map(({ kept: _kept, ...call }, index) => ({
      ...call,
      messages: prompts[index] ?? [],
      tools: toolsFromStored(call.tools, texts),
    }));
  }

  deleteOf(tx: Transaction, conversationId: string): Promise<void> {
    return this.calls.deleteOf(tx, conversationId);
  }
}
