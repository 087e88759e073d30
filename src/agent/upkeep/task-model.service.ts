import { Inject, Injectable } from '@nestjs/common';

import { LOGGER, type Logger } from '../../common/process/logger.js';
import { Database } from '../../platform/database/database.js';
import { CallNotMade, type ChatPart, ModelError } from '../../llm/chat-model.js';
import { Tokenizer } from '../../llm/tokenizer.js';
import { ModelCalls } from '../../conversations/turns/model-calls/model-calls.service.js';
import {
  type AsidePurpose,
  type ModelCallUsage,
  nothingUsed,
} from '../../conversations/turns/model-calls/model-call.js';
import { UsageService } from '../../companies/usage/usage.service.js';
import { AgentModels, type AssistantModels, type PricedCall } from '../agent-models.service.js';
import { faultOf, readAnswer, type Task } from './task.js';

export interface TaskFor {
  companyId: string;
  turnId: string;
  memberId: string;
  assistantKey: string;
  /** Null: the installation's default model. */
  model: string | null;
  purpose: AsidePurpose;
  callId: string;
}

/** SPENT: what was granted. UNREACHABLE: or it took too long. UNUSABLE: what it gave. */
export type TaskFailure = 'SPENT' | 'UNREACHABLE' | 'UNUSABLE';

export type TaskOutcome<Value> = { value: Value; failure: null } | { value: null; failure: TaskFailure };

interface Said {
  parts: ChatPart[];
  failure: ModelError | null;
}

const crowded = new ModelError('MODEL_UNAVAILABLE', 'There was no room for a task.', true);
const tooSlow = new ModelError('MODEL_UNAVAILABLE', 'The model took too long for a task.', true);

/** Has models do what nobody waits for. */
@Injectable()
export class TaskModel {
  constructor(
    private readonly database: Database,
    private readonly models: AgentModels,
    private readonly calls: ModelCalls,
    private readonly usage: UsageService,
    private readonly tokens: Tokenizer,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Null: a TaskFailure, which is logged. Rejects when the database does, or `signal` is aborted. */
  async ask<Value>(task: Task<Value>, taskFor: TaskFor, signal: AbortSignal): Promise<Value | null> {
    return (await this.attempt(task, taskFor, signal)).value;
  }

  /** The same for those who do something different about each failure. */
  async attempt<Value>(
    task: Task<Value>,
    taskFor: TaskFor,
    signal: AbortSignal,
  ): Promise<TaskOutcome<Value>> {
    const { companyId, turnId, memberId, purpose } = taskFor;
    const spent = await this.database.read(companyId, (tx) => this.usage.findSpent(tx, memberId));
    if (spent) {
      this.logger.info({ purpose, turnId }, 'a task was left: what was granted is used up');
      return { value: null, failure: 'SPENT' };
    }
    // Documents are read as carefully as questions are answered.
    const models = await (purpose === 'ANALYSIS'
      ? this.models.of(companyId, taskFor.model)
      : this.models.ofUpkeep(companyId, taskFor.model));
    const model = models.first;
    const at = new Date();
    const { parts, failure } = await this.call(task, models, companyId, signal);
    const value = failure ? null : readAnswer(task, parts);
    if (value === null) {
      const why = failure ? { err: failure } : { reason: faultOf(task, parts) };
      this.logger.warn({ ...why, model, purpose, turnId }, 'a model could not do a task');
    }
    await this.store(taskFor, models, {
      purpose,
      model,
      messages: task.messages,
      tools: [task.tool],
      usage: usageOf(task, { parts, failure }, this.tokens),
      outcome: failure?.code ?? outcomeOf(parts),
      durationMs: Date.now() - at.getTime(),
      at,
    });
    if (value !== null) return { value, failure: null };
    return { value: null, failure: failure?.code === 'MODEL_UNAVAILABLE' ? 'UNREACHABLE' : 'UNUSABLE' };
  }

  private async call(
    { messages, tool, maxOutputTokens, maxSeconds }: Task<unknown>,
    models: AssistantModels,
    companyId: string,
    signal: AbortSignal,
  ): Promise<Said> {
    const parts: ChatPart[] = [];
    const toolChoice = { name: tool.name };
    const request = {
      model: models.first,
      messages,
      tools: [tool],
      toolChoice,
      maxOutputTokens,
      companyId,
      isUpkeep: true,
    };
    // Not the job's own time, or the job would be done again, and again take too long.
    const overdue = AbortSignal.timeout(maxSeconds * 1000);
    const either = AbortSignal.any([signal, overdue]);
    try {
      for await (const part of models.stream(request, either)) parts.push(part);
      return { parts, failure: null };
    } catch (error) {
      if (error instanceof ModelError) return { parts, failure: error };
      if (overdue.aborted && !signal.aborted)
        return { parts, failure: error instanceof CallNotMade ? crowded : tooSlow };
      throw error;
    }
  }

  private store(
    { companyId, turnId, memberId, assistantKey, callId: id }: TaskFor,
    models: AssistantModels,
    record: PricedCall,
  ): Promise<void> {
    const call = {
      ...models.priced(record, { hasSummary: false }),
      id,
      kept: 0,
      memberId,
      assistantKey,
    };
    return this.database.transaction(companyId, (tx) => this.calls.addAside(tx, { companyId, turnId, call }));
  }
}

function finishOf(parts: readonly ChatPart[]) {
  return parts.find((part) => part.type === 'finish');
}

function outcomeOf(parts: readonly ChatPart[]): string {
  return finishOf(parts)?.reason ?? 'unknown';
}

/** What the provider counted; for a call that broke off, an estimate. */
function usageOf(task: Task<unknown>, { parts, failure }: Said, tokens: Tokenizer): ModelCallUsage {
  const told = finishOf(parts)?.usage;
  if (told) return { ...told, reasoningTokens: told.reasoningTokens ?? 0 };
  // A provider that refused, or was not there, did nothing; one that we left may have begun.
  if (parts.length === 0 && failure !== tooSlow) return nothingUsed;
  const said = parts.map((part) => ('text' in part ? part.text : '')).join('');
  return {
    inputTokens: tokens.count(JSON.stringify([task.messages, task.tool])),
    outputTokens: tokens.count(said),
    cachedInputTokens: 0,
    reasoningTokens: 0,
    source: 'ESTIMATED',
  };
}
