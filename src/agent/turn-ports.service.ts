import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { fairThread } from '@palabre/async';
import { Tokenizer } from '@palabre/llm-client';

import { Clock } from '../common/clock.js';
import type { Logger } from '../common/process/logger.js';
import { awaitAll, type Transaction } from '../platform/database/transaction.js';
import type { CompanySkills } from '../skills/skills-in-use.service.js';
import type { Turn } from '../conversations/turns/turn.entity.js';
import type { AgentPorts, ThreadPort } from './loop/agent-ports.js';
import type { RunHandle } from './runs/running-turn.js';
import type { RunContext } from './turn-context.service.js';
import { TurnMemory } from './turn-memory.service.js';
import { TurnModels } from './turn-models.service.js';
import { TurnSkills } from './turn-skills.service.js';

/** Data for the ports of a new turn that was read at its creation. */
export interface FirstLook {
  skills: CompanySkills;
  /** See TurnMemory.readBlankState. */
  blankMemoryState: number | null;
}

interface TurnToRun {
  turn: Turn;
  context: RunContext;
  /** Null: the turn was not just created. */
  first: FirstLook | null;
  run: RunHandle;
  logger: Logger;
}

/** Creates the ports for the loop of a turn. */
@Injectable()
export class TurnPorts implements OnApplicationBootstrap {
  constructor(
    private readonly models: TurnModels,
    private readonly skills: TurnSkills,
    private readonly memory: TurnMemory,
    private readonly tokens: Tokenizer,
    private readonly clock: Clock,
  ) {}

  /** Loads the tables at start: a cancelled call is the first to count its own tokens, and must not wait for them. */
  onApplicationBootstrap(): void {
    this.tokens.prepare();
  }

  async read(tx: Transaction, turn: Turn): Promise<FirstLook> {
    // In this order, so that the single-row statements go out together.
    const [blankMemoryState, skills] = await awaitAll([
      this.memory.readBlankState(tx, turn.memberId),
      this.skills.readFirst(tx),
    ]);
    return { skills, blankMemoryState };
  }

  async of({ turn, context, first, run, logger }: TurnToRun): Promise<AgentPorts> {
    const { assistant, allowed, memory: request } = context;
    const blankState = first?.blankMemoryState ?? null;
    // Before the skills, which may have to wait.
    const memory = this.memory.portOf({ companyId: turn.companyId, request, blankState, run, logger });
    const skills = await this.skills.portOf({
      turn,
      assistant,
      first: first?.skills ?? null,
      allowed,
      run,
      logger,
    });
    const models = await this.models.portOf(turn, context, run);
    const { tokens, clock } = this;
    return { models, skills, memory, text: run.text, tokens, thread: threadOf(turn.companyId), clock };
  }
}

/** A turn must not lose its time to others of its company. */
const MAX_WAIT_MS = 5_000;

function threadOf(companyId: string): ThreadPort {
  return {
    inTurn: (characters, work, signal) => {
      const waiting = { signal: signal ?? new AbortController().signal, maxWaitMs: MAX_WAIT_MS };
      return fairThread.inTurn(companyId, characters, work, waiting);
    },
  };
}
