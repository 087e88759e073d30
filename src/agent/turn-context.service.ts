import { Injectable } from '@nestjs/common';

import { AssistantsService } from '../assistants/assistants.service.js';
import type { Assistant } from '../assistants/assistant.entity.js';
import { CompaniesService } from '../companies/companies.service.js';
import { MembersService } from '../companies/members.service.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import { Database } from '../database/database.js';
import type { Turn } from '../turns/turn.entity.js';
import type { AgentTurn } from './loop/agent-turn.js';
import { historyLimit } from './loop/prompt.js';

/** Reads what a turn's prompts are made of. */
@Injectable()
export class TurnContext {
  constructor(
    private readonly database: Database,
    private readonly assistants: AssistantsService,
    private readonly companies: CompaniesService,
    private readonly members: MembersService,
    private readonly conversations: ConversationsService,
  ) {}

  /** The turn as the loop needs it, and the assistant that answers. */
  read(turn: Turn): Promise<{ assistant: Assistant; agentTurn: AgentTurn }> {
    return this.database.transaction(turn.companyId, async (tx) => {
      const conversation = await this.conversations.get(tx, turn.memberId, turn.conversationId);
      const { assistant, template } = await this.assistants.getWithTemplate(tx, conversation.assistantId);
      const question = await this.conversations.getMessage(tx, turn.questionId);
      const earlier = await this.conversations.listBefore(tx, conversation.id, question.id, historyLimit);
      const { maxSteps, maxOutputTokens, model, language } = assistant;
      const prompt = {
        template,
        language,
        today: turn.createdAt,
        member: await this.members.get(tx, turn.memberId),
        company: await this.companies.get(tx),
        summary: conversation.summary,
        history: earlier.map(({ role, text }) => ({
          role: role === 'USER' ? ('user' as const) : ('assistant' as const),
          text,
        })),
        question: question.text,
      };
      return { assistant, agentTurn: { model, budget: { maxSteps, maxOutputTokens }, prompt } };
    });
  }
}
