import { Injectable } from '@nestjs/common';
import type { McpServer, ServerContext, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';

import { AssistantsService } from '../../companies/assistants/assistants.service.js';
import type { Assistant } from '../../companies/assistants/assistant.repository.js';
import { PendingInputs } from '../../conversations/turns/inputs/pending-inputs.service.js';
import { refusalMessage } from '../../conversations/turns/start/start-refusal.js';
import {
  MAX_IDEMPOTENCY_KEY_CHARACTERS,
  MAX_MESSAGE_CHARACTERS,
} from '../../conversations/turns/start/start-turn.js';
import { TurnStarts } from '../../conversations/turns/start/turn-starts.service.js';
import { TurnsService } from '../../conversations/turns/turns.service.js';
import { SkillsInUse, type UsableSkills } from '../../skills/skills-in-use.service.js';
import { Doors } from '../doors.service.js';
import { addTool, type Caller, failedResult, MAX_LISTED, may } from './mcp-caller.js';
import { TurnReport } from './turn-report.js';
import { DEFAULT_WAIT_SECONDS, MAX_WAIT_SECONDS, TurnWaits } from './turn-waits.service.js';

const waitSeconds = z
  .int()
  .min(0)
  .max(MAX_WAIT_SECONDS)
  .optional()
  .describe(`How long to wait for the answer; ${DEFAULT_WAIT_SECONDS} if left out.`);
const turnId = z.string().describe('As an earlier call gave it.');

const AskInput = z.object({
  message: z.string().max(MAX_MESSAGE_CHARACTERS).describe('The question, or what is to be done.'),
  conversationId: z
    .string()
    .optional()
    .describe('To go on in a conversation with this assistant; left out: a new one begins.'),
  idempotencyKey: z
    .string()
    .min(1)
    .max(MAX_IDEMPOTENCY_KEY_CHARACTERS)
    .optional()
    .describe('The same key with the same arguments is the same question, however often it is sent.'),
  waitSeconds,
  ifClosed: z
    .enum(['continue', 'cancel'])
    .optional()
    .describe('What becomes of it when this call is cancelled or cut off; continue if left out.'),
});
const getAnswer = {
  title: 'Get an answer',
  description: 'Waits for the answer of an assistant that takes longer, or was cut off.',
  inputSchema: z.object({ turnId, waitSeconds }),
  outputSchema: TurnReport,
  annotations: { readOnlyHint: true, openWorldHint: false },
};

const answerQuestion = {
  title: 'Answer a question',
  description: 'Gives an assistant what it asks the user for, in the user’s words, and waits for its answer.',
  inputSchema: z.object({
    turnId,
    questionId: z.string(),
    answer: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('What the user said, as responseSchema has it; left out: they decline.'),
  }),
  outputSchema: TurnReport,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};

const cancelAnswer = {
  title: 'Cancel an answer',
  description: 'Ends the work on an answer. What there is of it is kept.',
  inputSchema: z.object({ turnId }),
  outputSchema: TurnReport,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

/** Tools whose calls may wait for an answer, like `ask_…`. */
export const waitingTools: ReadonlySet<string> = new Set(['get_answer', 'answer_question']);

/** Each assistant as a tool, and tools that continue turns. */
@Injectable()
export class AssistantTools {
  constructor(
    private readonly doors: Doors,
    private readonly assistants: AssistantsService,
    private readonly starts: TurnStarts,
    private readonly turns: TurnsService,
    private readonly inputs: PendingInputs,
    private readonly waits: TurnWaits,
    private readonly skills: SkillsInUse,
  ) {}

  async addTo(server: McpServer, caller: Caller): Promise<void> {
    if (may(caller, 'TURNS')) {
      const all = await this.assistants.list(caller.viewer);
      let usable: UsableSkills | null = null;
      for (const assistant of all.filter(({ archived }) => !archived).slice(0, MAX_LISTED)) {
        const { key: assistantKey, skills } = assistant;
        const user = { ...caller.viewer, assistantKey, skills };
        usable = await this.skills.listUsable(user, usable?.company);
        this.addAssistant(server, caller, assistant, usable);
      }
    }
    if (may(caller, 'TURNS', 'READ'))
      addTool(server, this.doors, 'get_answer', getAnswer, (input, context) =>
        this.waits.wait(caller, { ...input, isTiedToCall: false }, context),
      );
    if (may(caller, 'TURNS')) this.addAnswers(server, caller);
  }

  private addAssistant(server: McpServer, caller: Caller, assistant: Assistant, usable: UsableSkills): void {
    const { key, name, language } = assistant;
    const tool = {
      title: name,
      description: `Asks ${name}, an assistant of the company, which answers in ${language} unless it is asked otherwise.`,
      inputSchema: AskInput,
      outputSchema: TurnReport,
      annotations: effectsOf(usable),
    };
    addTool(server, this.doors, `ask_${key}`, tool, (input, context) =>
      this.ask(caller, key, input, context),
    );
  }

  private addAnswers(server: McpServer, caller: Caller): void {
    addTool(server, this.doors, 'answer_question', answerQuestion, async (input, context) => {
      const { turnId, questionId: id, answer } = input;
      const given = answer === undefined ? { declined: true } : { value: answer };
      await this.inputs.answer(caller.viewer, { question: { id, ...given } });
      return this.waits.wait(caller, { turnId, isTiedToCall: false }, context);
    });
    addTool(server, this.doors, 'cancel_answer', cancelAnswer, async ({ turnId }) => {
      await this.turns.cancel(caller.viewer, turnId);
      return { ...(await this.waits.report(caller, turnId, [])), isError: false };
    });
  }

  private async ask(
    caller: Caller,
    assistantKey: string,
    { ifClosed, waitSeconds, ...question }: z.output<typeof AskInput>,
    context: ServerContext,
  ) {
    // Checked before: see checkState.
    const known = context.mcpReq.requestState<string>();
    const isTiedToCall = ifClosed === 'cancel';
    if (known !== undefined)
      return this.waits.wait(caller, { turnId: known, waitSeconds, isTiedToCall }, context);
    const outcome = await this.starts.start(caller.viewer, { ...question, assistantKey });
    if (outcome.type !== 'accepted') return failedResult(refusalMessage(outcome));
    return this.waits.wait(caller, { turnId: outcome.turn.id, waitSeconds, isTiedToCall }, context);
  }
}

/** The combined effects of the skills that it may call. */
function effectsOf({ callable }: UsableSkills): ToolAnnotations {
  const effects = callable.map(({ skill }) => skill.effect);
  return {
    readOnlyHint: false,
    destructiveHint: effects.some(({ changes }) => changes === 'ELSEWHERE'),
    idempotentHint: false,
    openWorldHint: effects.some(({ changes, isForeign }) => isForeign || changes === 'ELSEWHERE'),
  };
}
