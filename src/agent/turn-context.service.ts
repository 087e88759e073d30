import { Injectable } from '@nestjs/common';

import { AssistantsService } from '../assistants/assistants.service.js';
import type { Assistant } from '../assistants/assistant.entity.js';
import { CompaniesService } from '../companies/companies.service.js';
import { MembersService } from '../companies/members.service.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import { Database } from '../database/database.js';
import { together } from '../database/together.js';
import type { Transaction } from '../database/transaction.js';
import type { CreatedTurn } from '../turns/local-runner.js';
import { TurnClaims } from '../turns/turn-claims.service.js';
import type { Turn } from '../turns/turn.entity.js';
import type { AgentTurn, MadeCall } from './loop/agent-turn.js';
import { historyLimit } from './loop/prompt.js';

/** The turn as the loop needs it, and the assistant that answers. */
export interface RunContext {
  assistant: Assistant;
  agentTurn: AgentTurn;
}

/** Reads what a turn's prompts are made of. */
@Injectable()
export class TurnContext {
  constructor(
    private readonly database: Database,
    private readonly assistants: AssistantsService,
    private readonly companies: CompaniesService,
    private readonly members: MembersService,
    private readonly conversations: ConversationsService,
    private readonly turns: TurnClaims,
  ) {}

  read(turn: Turn): Promise<RunContext> {
    return this.database.read(turn.companyId, async (tx) => {
      const [conversation, question, member, made] = await Promise.all([
        this.conversations.get(tx, turn.memberId, turn.conversationId),
        this.conversations.getMessage(tx, turn.questionId),
        this.members.get(tx, turn.memberId),
        turn.attempt > 1 ? this.made(tx, turn.id) : [],
      ]);
      const known = { turn, conversation, question: question.text, memberName: member.name, isFirst: false };
      return this.complete(tx, known, made);
    });
  }

  /** The same of a turn that `tx` creates. */
  readCreated(tx: Transaction, created: CreatedTurn): Promise<RunContext> {
    return this.complete(tx, created, []);
  }

  private async complete(
    tx: Transaction,
    { turn, conversation, question, memberName, isFirst }: CreatedTurn,
    made: MadeCall[],
  ): Promise<RunContext> {
    const [earlier, company, { assistant, template }] = await together([
      isFirst ? [] : this.conversations.listBefore(tx, conversation.id, turn.questionId, historyLimit),
      this.companies.get(tx),
      this.assistants.getWithTemplate(tx, conversation.assistantId),
    ]);
    const { maxSteps, maxOutputTokens, model, language } = assistant;
    const prompt = {
      template,
      language,
      today: turn.createdAt,
      member: { name: memberName },
      company,
      summary: conversation.summary,
      history: earlier.map(({ role, text }) => ({
        role: role === 'USER' ? ('user' as const) : ('assistant' as const),
        text,
      })),
      question,
    };
    return { assistant, agentTurn: { model, budget: { maxSteps, maxOutputTokens }, prompt, made } };
  }

  /** What earlier owners of the turn got as far as. */
  private async made(tx: Transaction, turnId: string): Promise<MadeCall[]> {
    const calls = await this.turns.listSkillCalls(tx, turnId);
    return calls.map((call) => ({
      callId: call.id,
      skill: call.skill,
      asked: {
        step: call.step,
        preamble: call.preamble,
        modelCallId: call.modelCallId,
        modelArguments: call.modelArguments,
      },
      status: call.status,
      result: call.result,
    }));
  }
}
