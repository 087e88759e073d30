import { Injectable } from '@nestjs/common';

import { newId } from '../common/ids.js';
import type { Logger } from '../common/logger.js';
import { patiently } from '../database/patiently.js';
import { together } from '../database/together.js';
import type { Transaction } from '../database/transaction.js';
import { ChatModel } from '../llm/chat-model.js';
import { parseArguments } from '../skills/skill-arguments.js';
import type { Skill } from '../skills/skill.js';
import { SkillRunner } from '../skills/skill-runner.service.js';
import { SkillsService } from '../skills/skills.service.js';
import type { CreatedTurn } from '../turns/local-runner.js';
import type { Turn } from '../turns/turn.entity.js';
import type { SkillPort } from './loop/agent-ports.js';
import { reactive } from './loop/reactive.js';
import type { Run, Work } from './running-turn.js';
import { type RunContext, TurnContext } from './turn-context.service.js';

/** What the run of a new turn begins with: its context, and what its first model call may offer. */
export interface Start {
  context: RunContext;
  skills: Skill[];
}

/** Puts together what it takes to run a turn: its context, its strategy, and the strategy's ports. */
@Injectable()
export class TurnWork {
  constructor(
    private readonly context: TurnContext,
    private readonly model: ChatModel,
    private readonly skills: SkillsService,
    private readonly runner: SkillRunner,
  ) {}

  /** Reads in `tx` what the run of a turn begins with that `tx` creates. */
  async read(tx: Transaction, created: CreatedTurn): Promise<Start> {
    const [context, skills] = await together([
      this.context.readCreated(tx, created),
      this.skills.listCallableIn(tx),
    ]);
    return { context, skills };
  }

  /** `start`: what was read when the turn was created just now. */
  async prepare(turn: Turn, run: Run, logger: Logger, start: Start | null = null): Promise<Work> {
    const { assistant, agentTurn } = start?.context ?? (await this.context.read(turn));
    const ports = {
      model: this.model,
      skills: this.skillsOf(turn, { language: assistant.language, first: start?.skills }, run, logger),
      now: () => performance.now(),
    };
    return {
      maxSeconds: assistant.maxSeconds,
      events: (usage, signal) => reactive(ports, agentTurn, usage, signal),
    };
  }

  private skillsOf(
    turn: Turn,
    { language, first }: { language: string; first: Skill[] | undefined },
    run: Run,
    logger: Logger,
  ): SkillPort {
    const { companyId, memberId, role, conversationId, id: turnId } = turn;
    let atHand = first;
    /** What the model was last told it may call: what it asks for of these needs no second look. */
    let offered: Skill[] = [];
    return {
      list: async () => {
        offered = atHand ?? (await patiently(() => this.skills.listCallable(companyId), run.signal));
        // The switches of the next model call are those of its own time.
        atHand = undefined;
        return offered.map(({ key, description, parameters }) => ({ name: key, description, parameters }));
      },
      call: async ({ callId, key, arguments: text }, signal) => {
        // A crash between the two would have it done again: nobody would know that it was asked for.
        if (!this.skills.isRepeatable(key)) await run.stored();
        const context = { companyId, memberId, role, conversationId, turnId, callId, language, signal };
        const known = offered.find((skill) => skill.key === key) ?? null;
        const { cause, ...outcome } = await this.runner.run(key, text, context, known);
        if (cause !== undefined) logger.error({ err: cause, skill: key, callId }, 'skill failed');
        return outcome;
      },
      isRepeatable: (key) => this.skills.isRepeatable(key),
      read: (text) => parseArguments(text) ?? {},
      newCallId: newId,
    };
  }
}
