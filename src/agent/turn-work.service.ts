import { Injectable } from '@nestjs/common';

import type { Strategy } from '../assistants/assistant-definition.js';
import { Clock } from '../common/clock.js';
import type { Logger } from '../common/logger.js';
import { together } from '../database/together.js';
import type { Transaction } from '../database/transaction.js';
import { Tokenizer } from '../llm/tokenizer.js';
import type { CallableSkill } from '../skills/skills.service.js';
import type { CreatedTurn } from '../turns/local-runner.js';
import type { Turn } from '../turns/turn.entity.js';
import type { AgentPorts, ModelPort, RetrievalPort } from './loop/agent-ports.js';
import type { RunTurn } from './loop/agent-turn.js';
import { grounded } from './loop/grounded.js';
import { planned } from './loop/planned.js';
import { reactive } from './loop/reactive.js';
import type { Run, Work } from './running-turn.js';
import { type RunContext, TurnContext } from './turn-context.service.js';
import { TurnModels } from './turn-models.service.js';
import { TurnSkills } from './turn-skills.service.js';
import { ConversationUpkeep, type Upkeep } from './upkeep/conversation-upkeep.service.js';

/** What the run of a new turn begins with: its context, and what its first model call may offer. */
export interface Start {
  context: RunContext;
  skills: CallableSkill[];
}

const strategies: Record<Strategy, RunTurn> = { REACTIVE: reactive, PLANNED: planned, GROUNDED: grounded };

/** A company has no documents yet. */
const noDocuments: RetrievalPort = {
  hasDocuments: () => Promise.resolve(false),
  retrieve: () => Promise.resolve([]),
};

/** Puts together what it takes to run a turn: its context, its strategy, and the strategy's ports. */
@Injectable()
export class TurnWork {
  constructor(
    private readonly context: TurnContext,
    private readonly models: TurnModels,
    private readonly turnSkills: TurnSkills,
    private readonly upkeep: ConversationUpkeep,
    private readonly tokens: Tokenizer,
    private readonly clock: Clock,
  ) {}

  /** Reads in `tx` what the run of a turn begins with that `tx` creates. */
  async read(tx: Transaction, created: CreatedTurn): Promise<Start> {
    const [context, skills] = await together([
      this.context.readCreated(tx, created),
      this.turnSkills.listFirst(tx),
    ]);
    return { context, skills };
  }

  /** `start`: what was read when the turn was created just now. */
  async prepare(turn: Turn, run: Run, logger: Logger, start: Start | null = null): Promise<Work> {
    const context = start?.context ?? (await this.context.read(turn));
    const { assistant, agentTurn } = context;
    const dropped = { most: 0 };
    const ports: AgentPorts = {
      models: watching(this.models.portOf(turn, context, run), dropped),
      skills: this.turnSkills.portOf({
        turn,
        language: assistant.language,
        first: start?.skills ?? null,
        allowed: context.allowed,
        run,
        logger,
      }),
      tokens: this.tokens,
      retrieval: noDocuments,
      clock: this.clock,
    };
    return {
      payer: { memberId: turn.memberId, assistantKey: assistant.key },
      maxSeconds: assistant.maxSeconds,
      backgroundMaxSeconds: assistant.strategy === 'PLANNED' ? assistant.backgroundMaxSeconds : null,
      events: (usage, signal) => strategies[assistant.strategy](ports, agentTurn, usage, signal),
      atEnd: (tx) => this.upkeep.putInLine(tx, turn, upkeepAfter(context, dropped.most)),
    };
  }
}

/** The models, and how many messages their prompts had no room for. */
const watching = (models: ModelPort, dropped: { most: number }): ModelPort => ({
  candidates: models.candidates,
  windowOf: (model) => models.windowOf(model),
  stream: (request, signal) => models.stream(request, signal),
  record: (call) => {
    dropped.most = Math.max(dropped.most, call.historyDropped);
    models.record(call);
  },
});

/** Messages that a prompt had no room for go into the summary, although they are among the last. */
const upkeepAfter = ({ agentTurn, upkeep }: RunContext, dropped: number): Upkeep => {
  if (dropped === 0) return upkeep;
  // With the question and its answer.
  const window = Math.max(1, agentTurn.prompt.history.length - dropped + 2);
  return { ...upkeep, summary: true, window };
};
