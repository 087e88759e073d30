import { Injectable } from '@nestjs/common';
import type { ChatMessage, ToolSpec } from '@palabre/llm-client';

import { NIL_ID } from '../../../common/ids.js';
import type { Viewer } from '../../../companies/auth/viewer.js';
import { Database } from '../../../platform/database/database.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { ErasureRepository } from '../erasure/erasure.repository.js';
import { isAddedTurn } from '../log/added-turns.js';
import type { ModelCall } from './model-call.entity.js';
import { ModelCallRepository, type ModelCallRow, type TurnModelCall } from './model-call.repository.js';
import { PromptTextRepository, type UsedText } from './prompt-text.repository.js';
import {
  rebuildPrompts,
  digestsIn,
  restoreMessages,
  restoreTools,
  toStoredPrompt,
} from './stored-prompts.js';

/** More calls than a turn makes itself; analyses of long documents beside it may exceed this. */
const MAX_CALLS = 500;

export interface ModelCallView extends Omit<ModelCall, 'kept' | 'messages' | 'source' | 'tools'> {
  /** The provider did not count the tokens. */
  estimated: boolean;
  messages: ChatMessage[];
  tools: ToolSpec[];
}

@Injectable()
export class ModelCalls {
  constructor(
    private readonly database: Database,
    private readonly calls: ModelCallRepository,
    private readonly texts: PromptTextRepository,
    private readonly erasures: ErasureRepository,
    private readonly metrics: Metrics,
  ) {}

  /** Stores and counts calls of any companies' turns, after the statement that appends the turns' events. */
  async add(tx: Transaction, calls: readonly TurnModelCall[]): Promise<void> {
    if (calls.length === 0) return;
    tx.afterCommit(() => this.count(calls));
    await this.store(tx, calls, isAddedTurn('turn_id'));
  }

  private async store(tx: Transaction, calls: readonly TurnModelCall[], condition: string): Promise<void> {
    const texts: (UsedText & { turnId: string })[] = [];
    const rows = calls.map(({ companyId, turnId, call }): ModelCallRow => {
      const prompt = toStoredPrompt(call);
      const { memberId } = call;
      for (const [digest, content] of prompt.texts)
        texts.push({ companyId, turnId, memberId, digest, content });
      return { companyId, turnId, call, prompt };
    });
    this.calls.insert(tx, rows, condition);
    await this.texts.keep(tx, texts, new Date(), condition);
  }

  /**
   * If the turn is gone, the call is only counted, without its member if they are gone too. Erasures check the turn
   * again, for forgotten text in the call.
   */
  async addAside(tx: Transaction, call: TurnModelCall): Promise<void> {
    tx.afterCommit(() => this.count([call]));
    if (await this.calls.holdTurn(tx, call.turnId)) {
      await this.erasures.addLate(tx, call.call.memberId, call.turnId);
      await this.store(tx, [call], 'true');
    } else {
      const memberId = (await this.calls.holdMember(tx, call.call.memberId)) ? call.call.memberId : NIL_ID;
      this.calls.insert(tx, [{ ...call, call: { ...call.call, memberId }, prompt: null }], 'true');
    }
  }

  private count(calls: readonly TurnModelCall[]): void {
    for (const { call } of calls) {
      const { usage, durationMs, firstPartMs, ...rest } = call;
      const firstPartSeconds = firstPartMs === undefined ? undefined : firstPartMs / 1000;
      this.metrics.modelCalled({ ...rest, ...usage, seconds: durationMs / 1000, firstPartSeconds });
    }
  }

  /** In order. Empty unless the viewer is an admin. The caller has checked access to the turn. */
  async list(viewer: Viewer, turnId: string): Promise<ModelCallView[]> {
    if (viewer.role === 'MEMBER') return [];
    const { calls, texts } = await this.database.read(viewer.companyId, async (tx) => {
      const found = await this.calls.list(tx, turnId, MAX_CALLS);
      const digests = new Set(found.flatMap(digestsIn));
      return { calls: found, texts: await this.texts.find(tx, [...digests]) };
    });
    const prompts = rebuildPrompts(
      calls.map(({ purpose, kept, messages }) => ({
        purpose,
        kept,
        messages: restoreMessages(messages, texts),
      })),
    );
    return calls.map((call, index) => ({
      ...viewOf(call),
      messages: prompts[index] ?? [],
      tools: restoreTools(call.tools, texts),
    }));
  }

  /** Like `list`, without messages and tools. */
  async listWithoutPrompts(viewer: Viewer, turnId: string): Promise<ModelCallView[]> {
    if (viewer.role === 'MEMBER') return [];
    const calls = await this.database.read(viewer.companyId, (tx) => this.calls.list(tx, turnId, MAX_CALLS));
    return calls.map((call) => ({ ...viewOf(call), messages: [], tools: [] }));
  }

  /** The reasoning tokens of the turn's own calls. The caller has checked access to the turn. */
  countReasoning(companyId: string, turnId: string): Promise<number> {
    return this.database.read(companyId, (tx) => this.calls.countReasoning(tx, turnId));
  }
}

function viewOf({ kept: _kept, source, ...call }: ModelCall) {
  return { ...call, estimated: source === 'ESTIMATED' };
}
