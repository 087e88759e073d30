import { Injectable } from '@nestjs/common';
import { isSeen } from '@palabre/text';
import type { JsonObject } from '@palabre/json';

import { badInput } from '../../common/errors/domain-error.js';
import type { Assistant } from '../../companies/assistants/assistant.repository.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { ConversationImports } from '../../conversations/conversation-imports.service.js';
import { UnstoredConversations } from '../../conversations/turns/erasure/unstored-conversations.service.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import { TurnsService } from '../../conversations/turns/turns.service.js';
import { isUniqueViolation } from '../../platform/database/connection-failure.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { clientSkill } from '../client-tools.js';
import { ClientThreads, usedOtherwise } from '../client-threads.service.js';
import type { Place, ToldMessage } from '../question-places.service.js';
import type { AskedInput } from './asked-input.js';
import { AskedFiles } from './asked-files.service.js';
import { refusal } from './openai-errors.js';
import type { FunctionTool } from './response-request.js';

/** A client's own code may take as long as a person does. */
const CLIENT_SKILL_SECONDS = 3_600;

const MAX_INSTRUCTIONS = 200_000;

/** A question of either dialect. */
export interface DialectQuestion {
  assistant: Assistant;
  asked: AskedInput;
  /** Null: a new conversation, which begins with what was said earlier. */
  place: Place | null;
  /** The id of the conversation that it begins; null: any. */
  begins: string | null;
  /** Otherwise the conversation is removed in any case, later. */
  isStored: boolean;
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
    private readonly threads: ClientThreads,
    private readonly turns: TurnsService,
    private readonly imports: ConversationImports,
    private readonly files: AskedFiles,
    private readonly unstored: UnstoredConversations,
  ) {}

  /** Rejects with an error of OpenAI's, and as startTurn does. */
  async start(viewer: Viewer, question: DialectQuestion, signal: AbortSignal): Promise<Turn> {
    const { asked, place, idempotencyKey, body } = question;
    if (asked.question === '' && asked.files.length === 0)
      throw refusal('BAD_USER_INPUT', 'The input has to end with a message of the user.', {
        code: 'missing_required_parameter',
        param: 'input',
      });
    const hash = await hashOf(body);
    const earlier = idempotencyKey === null ? null : await this.turns.findStarted(viewer, idempotencyKey);
    if (earlier?.payloadHash === hash) return earlier;
    if (earlier) throw usedOtherwise(earlier);
    const begun = place ? null : await this.importHistory(viewer, question);
    let turn: Turn | null = null;
    try {
      turn = await this.startAt(viewer, question, place ?? { conversationId: begun }, hash, signal);
      return turn;
    } finally {
      // The request was refused, or has come twice at a time.
      if (begun !== null && turn?.conversationId !== begun)
        await this.turns.deleteConversation(viewer, begun);
    }
  }

  private async startAt(
    viewer: Viewer,
    { asked, assistant, answerSchema, idempotencyKey, echo, tools, ...question }: DialectQuestion,
    place: Place,
    hash: string,
    signal: AbortSignal,
  ): Promise<Turn> {
    const instructions = instructionsOf(asked, question.place !== null);
    const sent = {
      assistantKey: assistant.key,
      // A question may be an image alone.
      text: isSeen(asked.question) ? asked.question : '…',
      files: await this.files.read(asked.files, signal),
      clientSkills: tools.map((tool) => ({
        ...clientSkill(tool.name, tool),
        timeoutSeconds: CLIENT_SKILL_SECONDS,
      })),
      answerSchema,
      idempotencyKey,
      asking: {
        client: { hash, instructions, echo },
        ...(question.begins !== null && { begins: question.begins }),
        record: (tx: Transaction, { conversationId }: Turn) =>
          this.keep(tx, viewer, question, conversationId),
      },
    };
    return this.threads.start(viewer, place, sent, signal);
  }

  /** The id of a new conversation with what was said earlier; null: nothing was. */
  private async importHistory(viewer: Viewer, question: DialectQuestion): Promise<string | null> {
    const { asked, assistant, begins } = question;
    const said = asked.earlier.filter(({ text }) => isSeen(text));
    if (said.length === 0) return null;
    const createdAt = new Date();
    const history = {
      assistantKey: assistant.key,
      messages: said.map(({ role, text }) => ({ role, text, createdAt })),
    };
    const imported = await this.imports
      .import(viewer, history, {
        ...(begins !== null && { id: begins }),
        question: asked.question,
        record: (tx, { id }) => this.keep(tx, viewer, question, id),
      })
      .catch((error: unknown) => {
        // Another request has begun it at the same time.
        if (begins !== null && isUniqueViolation(error)) return null;
        throw error;
      });
    return imported?.id ?? null;
  }

  /** What is not to be stored is removed even if this process dies before it has answered. */
  private async keep(
    tx: Transaction,
    viewer: Viewer,
    { isStored }: Pick<DialectQuestion, 'isStored'>,
    conversationId: string,
  ): Promise<void> {
    if (!isStored) await this.unstored.removeLater(tx, viewer, conversationId);
  }
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

function transcriptOf(earlier: readonly ToldMessage[]): string {
  return earlier.map(({ role, text }) => `${role === 'USER' ? 'User' : 'Assistant'}: ${text}`).join('\n\n');
}

/** Outside of the thread: a body may have 16 MB. */
async function hashOf(body: unknown): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', Buffer.from(JSON.stringify(body)));
  return Buffer.from(hash).toString('hex');
}
