import { Injectable } from '@nestjs/common';

import type { Role } from '../auth/viewer.js';
import { newId } from '../common/ids.js';
import type { Logger } from '../common/logger.js';
import { patiently } from '../database/patiently.js';
import type { Transaction } from '../database/transaction.js';
import { parseArguments } from '../skills/skill-arguments.js';
import { SkillRunner } from '../skills/skill-runner.service.js';
import { type CallableSkill, SkillsService } from '../skills/skills.service.js';
import type { Turn } from '../turns/turn.entity.js';
import type { SkillOutcome, SkillPort } from './loop/agent-ports.js';
import type { Run } from './running-turn.js';

/** Whose skills they are, and what is known of them already. */
export interface TurnSkillsOptions {
  turn: Turn;
  /** The assistant's, BCP 47. */
  language: string;
  /** What was read when the turn was created just now; null: it has to be asked for. */
  first: CallableSkill[] | null;
  /** The calls that people have allowed, with the role that each is carried out in. */
  allowed: ReadonlyMap<string, Role>;
  run: Run;
  logger: Logger;
}

/** The skills of a company, as the loop of one turn calls them. */
@Injectable()
export class TurnSkills {
  constructor(
    private readonly skills: SkillsService,
    private readonly runner: SkillRunner,
  ) {}

  /** What the first model call of a turn that `tx` creates may offer. */
  listFirst(tx: Transaction): Promise<CallableSkill[]> {
    return this.skills.listCallableIn(tx);
  }

  portOf({ turn, language, first, allowed, run, logger }: TurnSkillsOptions): SkillPort {
    const { companyId } = turn;
    let atHand = first;
    /** What the model was last told it may call: what it asks for of these needs no second look. */
    let offered: CallableSkill[] = [];
    const find = async (key: string, signal: AbortSignal): Promise<CallableSkill | null> =>
      offered.find(({ skill }) => skill.key === key) ??
      (await patiently(() => this.skills.findCallable(companyId, key), signal));
    return {
      list: async () => {
        offered = atHand ?? (await patiently(() => this.skills.listCallable(companyId), run.signal));
        // The switches of the next model call are those of its own time.
        atHand = null;
        return offered.map(({ skill: { key, description, parameters } }) => ({
          name: key,
          description,
          parameters,
        }));
      },
      call: async ({ callId, key, arguments: text }, signal) => {
        const found = await find(key, signal);
        // It was not offered when it was asked for, or the question would have been put.
        if (found?.approval && !allowed.has(callId)) return needsApproval;
        // A crash between the two would have it done again: nobody would know that it was asked for.
        if (!this.skills.isRepeatable(key)) await run.stored();
        const role = allowed.get(callId) ?? turn.role;
        const context = { ...contextOf(turn), role, callId, language, signal };
        const { cause, ...outcome } = await this.runner.run(key, text, context, found?.skill ?? null);
        if (cause !== undefined) logger.error({ err: cause, skill: key, callId }, 'skill failed');
        return outcome;
      },
      isRepeatable: (key) => this.skills.isRepeatable(key),
      approvalFor: (key) => offered.find(({ skill }) => skill.key === key)?.approval ?? null,
      read: (text) => parseArguments(text) ?? {},
      newCallId: newId,
    };
  }
}

const needsApproval: SkillOutcome = {
  status: 'FAILED',
  result: JSON.stringify({ error: 'A person has to allow this skill first. Ask for it again.' }),
  preview: 'A person has to allow this skill first.',
};

const contextOf = ({ companyId, memberId, conversationId, id: turnId }: Turn) => ({
  companyId,
  memberId,
  conversationId,
  turnId,
});
