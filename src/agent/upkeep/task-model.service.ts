import { Inject, Injectable } from '@nestjs/common';

import { LOGGER, type Logger } from '../../common/process/logger.js';
import { Quotas } from '../../companies/usage/quotas.service.js';
import { Database } from '../../platform/database/database.js';
import { AgentModels } from '../agent-models.service.js';
import { AsideCalls, type AsideFor } from '../aside-calls.service.js';
import { faultOf, readAnswer, type Task } from './task.js';

export interface TaskFor extends AsideFor {
  /** Null: the installation's default model. */
  model: string | null;
}

/** SPENT: the quota. UNREACHABLE: includes time-outs. UNUSABLE: the answer. */
export type TaskFailure = 'SPENT' | 'UNREACHABLE' | 'UNUSABLE';

export type TaskOutcome<Value> = { value: Value; failure: null } | { value: null; failure: TaskFailure };

/** Runs tasks that nobody waits for. */
@Injectable()
export class TaskModel {
  constructor(
    private readonly database: Database,
    private readonly models: AgentModels,
    private readonly calls: AsideCalls,
    private readonly quotas: Quotas,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Null: a TaskFailure, which is logged. Rejects when the database fails, or `signal` is aborted. */
  async ask<Value>(task: Task<Value>, taskFor: TaskFor, signal: AbortSignal): Promise<Value | null> {
    return (await this.attempt(task, taskFor, signal)).value;
  }

  /** The same for callers that handle each failure differently. */
  async attempt<Value>(
    task: Task<Value>,
    { model: wanted, ...whose }: TaskFor,
    signal: AbortSignal,
  ): Promise<TaskOutcome<Value>> {
    const { companyId, turnId, memberId, purpose } = whose;
    // Documents are read by the model that answers questions.
    const models = await (purpose === 'ANALYSIS'
      ? this.models.of(companyId, wanted)
      : this.models.ofUpkeep(companyId, wanted));
    const spent = await this.database.read(companyId, (tx) => this.quotas.findSpent(tx, memberId, models));
    if (spent) {
      this.logger.info({ purpose, turnId }, 'a task was left: what was granted is used up');
      return { value: null, failure: 'SPENT' };
    }
    const { messages, tool, maxOutputTokens, maxSeconds } = task;
    const { parts, failure } = await this.calls.make(
      models,
      { messages, tools: [tool], toolChoice: { name: tool.name }, maxOutputTokens, isUpkeep: true },
      whose,
      { maxSeconds, signal },
    );
    const value = failure ? null : readAnswer(task, parts);
    if (value !== null) return { value, failure: null };
    const why = failure ? { err: failure } : { reason: faultOf(task, parts) };
    this.logger.warn({ ...why, model: models.first, purpose, turnId }, 'a model could not do a task');
    return { value: null, failure: failure?.code === 'MODEL_UNAVAILABLE' ? 'UNREACHABLE' : 'UNUSABLE' };
  }
}
