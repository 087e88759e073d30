import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { badInput } from '../../common/errors/domain-error.js';
import type { JsonObject } from '../../common/json.js';
import { isSeen } from '../../common/text/data-text.js';
import type { Assistant } from '../../companies/assistants/assistant.entity.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import type { Conversation } from '../../conversations/conversation.entity.js';
import { ConversationImports } from '../../conversations/conversation-imports.service.js';
import { ConversationsService } from '../../conversations/conversations.service.js';
import { titleOf } from '../../conversations/title.js';
import { TurnStarts } from '../../conversations/turns/start/turn-starts.service.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import { TurnsService } from '../../conversations/turns/turns.service.js';
import { Database } from '../../platform/database/database.js';
import type { AskedInput, EarlierMessage } from './asked-input.js';
import { AskedFiles } from './asked-files.service.js';
import { acceptedOf, refusal } from './openai-errors.js';
import type { FunctionTool } from './response-request.js';
import type { Place } from './threads.service.js';

/** A client's own code may take as long as a person does. */
const CLIENT_SKILL_SECONDS = 3_600;

const MAX_INSTRUCTIONS = 200_000;

/** A question of either dialect. */
export interface Asking {
  assistant: Assistant;
  asked: AskedInput;
  /** Null: a new conversation, which begins with what was said earlier. */
  place: Place | null;
  /** What the client calls the conversation; null: nothing. */
  clientKey: string | null;
  tools: readonly FunctionTool[];
  answerSchema: JsonObject | null;
  echo: JsonObject;
  /** The body of the request. */
  body: unknown;
  idempotencyKey: string | null;
}

/** Starts the turns of questions that come in OpenAI's dialects. */
@Injectable()
export class Asks {
  constructor(
    private readonly database: Database,
    private readonly starts: TurnStarts,
    private readonly turns: TurnsService,
    private readonly imports: ConversationImports,
    private readonly conversations: ConversationsService,
    private readonly files: AskedFiles,
  ) {}

  /** Rejects with an error of OpenAI's, and as startTurn does. */
  async start(
    viewer: Viewer,
    asking: Asking,
    signal: AbortSignal,
  ): Promise<{ turn: Turn; conversation: Conversation }> {
    const { asked, place } = asking;
    if (asked.question === '' && asked.files.length === 0)
      throw refusal('BAD_USER_INPUT', 'The input has to end with a message of the user.', {
        code: 'missing_required_parameter',
        param: 'input',
      });
    const begun = place === null ? await this.importHistory(viewer, asking) : null;
    let isUsed = false;
    try {
      const where = place ?? (begun === null ? {} : { conversationId: begun });
      const accepted = await this.startAt(viewer, asking, where, signal);
      isUsed = accepted.conversation.id === begun;
      await this.keepKey(viewer, accepted.conversation, asking.clientKey);
      return accepted;
    } finally {
      // The request was refused, or has come before.
      if (begun !== null && !isUsed) await this.turns.deleteConversation(viewer, begun);
    }
  }

  private async startAt(viewer: Viewer, asking: Asking, where: Place, signal: AbortSignal) {
    const { asked, assistant, answerSchema, idempotencyKey, body, echo } = asking;
    const attachmentIds = await this.files.attach(viewer, asked.files, where.conversationId ?? null, signal);
    const input = {
      ...where,
      assistantKey: assistant.key,
      // A question may be an image alone.
      message: isSeen(asked.question) ? asked.question : '…',
      attachmentIds,
      clientSkills: asking.tools.map(clientSkillOf),
      answerSchema,
      idempotencyKey,
    };
    const instructions = instructionsOf(asked, asking.place !== null);
    const outcome = await this.starts.start(viewer, input, {
      client: { hash: hashOf(body), instructions, echo },
    });
    return acceptedOf(outcome);
  }

  /** The id of a new conversation with what was said earlier; null: nothing was. */
  private async importHistory(viewer: Viewer, { asked, assistant }: Asking): Promise<string | null> {
    const said = asked.earlier.filter(({ text }) => isSeen(text));
    if (said.length === 0) return null;
    const createdAt = new Date();
    const { id } = await this.imports.import(viewer, {
      assistantKey: assistant.key,
      title: titleOf(said.find(({ role }) => role === 'USER')?.text ?? asked.question),
      messages: said.map(({ role, text }) => ({ role, text, createdAt })),
    });
    return id;
  }

  private async keepKey(
    viewer: Viewer,
    { id, clientKey: known }: Conversation,
    clientKey: string | null,
  ): Promise<void> {
    if (clientKey === null || known === clientKey) return;
    await this.database.transaction(viewer.companyId, (tx) =>
      this.conversations.setClientKey(tx, id, clientKey),
    );
  }
}

function clientSkillOf({ name, description, parameters }: FunctionTool) {
  return {
    key: name,
    description: description?.trim() || name,
    parameters: parameters ?? { type: 'object', properties: {} },
    timeoutSeconds: CLIENT_SKILL_SECONDS,
  };
}

/**
 * What a client says about how to answer; in a conversation that is there, also what it says was said in between: it
 * has no place of its own there.
 */
function instructionsOf({ instructions, earlier }: AskedInput, isContinued: boolean): string | null {
  const told = isContinued && earlier.length > 0 ? [...instructions, transcriptOf(earlier)] : instructions;
  const text = told.filter(isSeen).join('\n\n').replaceAll('\0', '').toWellFormed();
  if (text.length > MAX_INSTRUCTIONS)
    throw badInput(['instructions'], `At most ${MAX_INSTRUCTIONS} characters in all.`);
  return text === '' ? null : text;
}

function transcriptOf(earlier: readonly EarlierMessage[]): string {
  return earlier.map(({ role, text }) => `${role === 'USER' ? 'User' : 'Assistant'}: ${text}`).join('\n\n');
}

function hashOf(body: unknown): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}
