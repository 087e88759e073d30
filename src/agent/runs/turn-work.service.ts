import { Injectable } from '@nestjs/common';

import type { Strategy } from '../../companies/assistants/assistant-definition.js';
import type { Logger } from '../../common/process/logger.js';
import { awaitAll, type Transaction } from '../../platform/database/transaction.js';
import type { ClaimedTurn } from '../../conversations/turns/claims/turn-claim.js';
import type { CreatedTurn } from '../../conversations/turns/claims/turn-queue.service.js';
import type { AgentPorts, ModelCallRecord } from '../loop/agent-ports.js';
import type { AgentLoop, AgentTurn } from '../loop/agent-turn.js';
import { grounded } from '../loop/grounded.js';
import { planned } from '../loop/planned.js';
import { reactive } from '../loop/reactive.js';
import { withSources } from '../loop/sources/cited-answer.js';
import { Sources } from '../loop/sources/sources.js';
import { textsInAnswer } from '../loop/structured-answer.js';
import type { RunHandle, Work } from './running-turn.js';
import { TurnFiles } from '../turn-files.service.js';
import { type RunContext, TurnContext } from '../turn-context.service.js';
import { type FirstLook, TurnPorts } from '../turn-ports.service.js';
import { ConversationUpkeep, type Upkeep } from '../upkeep/conversation-upkeep.service.js';

/** The start of a new turn's run: its context, and what its ports already know. */
export interface Start {
  context: RunContext;
  first: FirstLook;
}

const strategies: Record<Strategy, AgentLoop> = { REACTIVE: reactive, PLANNED: planned, GROUNDED: grounded };

/** Assembles what a run needs: context, strategy and ports. */
@Injectable()
export class TurnWork {
  constructor(
    private readonly context: TurnContext,
    private readonly ports: TurnPorts,
    private readonly upkeep: ConversationUpkeep,
    private readonly files: TurnFiles,
  ) {}

  async read(tx: Transaction, created: CreatedTurn): Promise<Start> {
    const [context, first] = await awaitAll([
      this.context.readCreated(tx, created),
      this.ports.read(tx, created.turn),
    ]);
    return { context, first };
  }

  /** `start`: read when the turn was just created. */
  async prepare(
    { turn, phaseBeganMs }: Pick<ClaimedTurn, 'turn'> & Pick<AgentTurn, 'phaseBeganMs'>,
    run: RunHandle,
    logger: Logger,
    start: Start | null = null,
  ): Promise<Work> {
    const context = start?.context ?? (await this.context.read(turn));
    const { assistant } = context;
    const { answerSchema } = context.agentTurn;
    // The most messages of the history that a prompt left out.
    const dropped = { most: 0 };
    const sources = new Sources();
    const strategy = withSources(strategies[assistant.strategy], sources);
    const made = await this.ports.of({ turn, context, first: start?.first ?? null, run, logger });
    const record = (call: ModelCallRecord): void => {
      dropped.most = Math.max(dropped.most, call.historyDropped);
      made.models.record(call);
    };
    const ports: AgentPorts = { ...made, models: { ...made.models, record } };
    const agentTurn = await this.files.complete(
      turn,
      { ...context.agentTurn, phaseBeganMs },
      context.messageIds,
      { ...ports, signal: run.signal },
    );
    return {
      payer: { memberId: turn.memberId, assistantKey: assistant.key },
      maxSeconds: assistant.maxSeconds,
      backgroundMaxSeconds: assistant.strategy === 'PLANNED' ? assistant.backgroundMaxSeconds : null,
      events: (usage, signal) => strategy(ports, agentTurn, usage, signal),
      answerSchema,
      citedIn: (text) => sources.citedIn(answerSchema === null ? text : textsInAnswer(text)),
      atEnd: (tx) => this.upkeep.putInLine(tx, turn, upkeepAfter(context, dropped.most)),
    };
  }
}

/** Recent messages that a prompt left out go into the summary. */
function upkeepAfter({ agentTurn, upkeep }: RunContext, dropped: number): Upkeep {
  if (dropped === 0) return upkeep;
  // With the question and its answer.
  const window = Math.max(1, agentTurn.prompt.history.length - dropped + 2);
  return { ...upkeep, summary: true, window };
}
