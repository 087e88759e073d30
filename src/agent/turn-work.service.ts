import { Injectable } from '@nestjs/common';

import { newId } from '../common/ids.js';
import type { Logger } from '../common/logger.js';
import { patiently } from '../database/patiently.js';
import { ChatModel } from '../llm/chat-model.js';
import { parseArguments } from '../skills/skill-arguments.js';
import type { Skill } from '../skills/skill.js';
import { SkillRunner } from '../skills/skill-runner.service.js';
import { SkillsService } from '../skills/skills.service.js';
import type { Turn } from '../turns/turn.entity.js';
import type { SkillPort } from './loop/agent-ports.js';
import { reactive } from './loop/reactive.js';
import type { Run, Work } from './running-turn.js';
import { TurnContext } from './turn-context.service.js';

/** Puts together what it takes to run a turn: its context, its strategy, and the strategy's ports. */
@Injectable()
export class TurnWork {
  constructor(
    private readonly context: TurnContext,
    private readonly model: ChatModel,
    private readonly skills: SkillsService,
    private readonly runner: SkillRunner,
  ) {}

  async prepare(turn: Turn, run: Run, logger: Logger): Promise<Work> {
    const { assistant, agentTurn } = await this.context.read(turn);
    const ports = {
      model: this.model,
      skills: this.skillsOf(turn, assistant.language, run, logger),
      now: () => performance.now(),
    };
    return {
      maxSeconds: assistant.maxSeconds,
      events: (usage, signal) => reactive(ports, agentTurn, usage, signal),
    };
  }

  private skillsOf(turn: Turn, language: string, run: Run, logger: Logger): SkillPort {
    const { companyId, memberId, role, conversationId, id: turnId } = turn;
    /** What the model was last told it may call: what it asks for of these needs no second look. */
    let offered: Skill[] = [];
    return {
      list: async () => {
        offered = await patiently(() => this.skills.listCallable(companyId), run.signal);
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
