import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Tokenizer } from '@palabre/llm-client';

import { Clock } from '../common/clock.js';
import type { Logger } from '../common/process/logger.js';
import { awaitAll, type Transaction } from '../platform/database/transaction.js';
import type { CompanySkills } from '../skills/skills-in-use.service.js';
import type { Turn } from '../conversations/turns/turn.entity.js';
import type { AgentPorts } from './loop/agent-ports.js';
import type { RunHandle } from './runs/running-turn.js';
import type { RunContext } from './turn-context.service.js';
import { TurnMemory } from './turn-memory.service.js';
import { TurnModels } from './turn-models.service.js';
import { TurnSkills } from './turn-skills.service.js';

/** What is known from the start of what the ports of a new turn would ask for. */
export interface FirstLook {
  skills: CompanySkills;
  /** See TurnMemory.readBlankState. */
  blankMemoryState: number | null;
}

interface TurnToRun {
  turn: Turn;
  context: RunContext;
  /** Null: it was not created just now. */
  first: FirstLook | null;
  run: RunHandle;
  logger: Logger;
}

/** Gives the loop of a turn what stands behind its ports. */
@Injectable()
export class TurnPorts implements OnApplicationBootstrap {
  constructor(
    private readonly models: TurnModels,
    private readonly skills: TurnSkills,
    private readonly memory: TurnMemory,
    private readonly tokens: Tokenizer,
    private readonly clock: Clock,
  ) {}

  /** A call that is cancelled is the first whose tokens nobody else has counted: who cancels is not to wait for tables. */
  onApplicationBootstrap(): void {
    this.tokens.prepare();
  }

  async read(tx: Transaction, turn: Turn): Promise<FirstLook> {
    // In this order: what gives one row goes out together, and before any other statement.
    const [blankMemoryState, skills] = await awaitAll([
      this.memory.readBlankState(tx, turn.memberId),
      this.skills.readFirst(tx),
    ]);
    return { skills, blankMemoryState };
  }

  async of({ turn, context, first, run, logger }: TurnToRun): Promise<AgentPorts> {
    const { assistant, allowed, memory: request } = context;
    const blankState = first?.blankMemoryState ?? null;
    // Before the skills, which may have to be waited for.
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
    return { models, skills, memory, text: run.text, tokens: this.tokens, clock: this.clock };
  }
}
