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
import { wellFormed } from '../../common/well-formed.js';

/** A client's own code may take as long as a person. */
const CLIENT_SKILL_SECONDS = 3_600;

export const MAX_INSTRUCTIONS = 200_000;

interface DialectQuestion {
  assistant: Assistant;
  asked: AskedInput;
  /** Null: a new conversation, which begins with the earlier messages. */
  place: Place | null;
  /** The id of the new conversation. Null: any. */
  begins: string | null;
  /** False: the conversation will be removed later in any case. */
  isStored: boolean;
  tools: readonly FunctionTool[];
  answerSchema: JsonObject | null;
  echo: JsonObject;
  body: unknown;
  idempotencyKey: string | null;
}

/** Starts the turns of questions in OpenAI's dialects. */
@Injectable()
export class Asks {
  constructor(
    private readonly threads: ClientThreads,
    private readonly turns: TurnsService,
    private readonly imports: ConversationImports,
    private readonly files: AskedFiles,
    private readonly unstored: UnstoredConversations,
  ) {}

  /** Rejects with an error in OpenAI's form, and like startTurn. */
  async start(viewer: Viewer, question: DialectQuestion, signal: AbortSignal): Promise<Turn> {
    const { asked, place, idempotencyKey, body } = question;
    if (asked.question === '' && asked.files.length === 0)
      throw refusal('BAD_USER_INPUT', 'The input has to end with a message of the user.', {
        code: 'missing_required_parameter',
        param: 'input',
      });
    // Only a key has to be told from its use with another body, which may be large.
    const hash = idempotencyKey === null ? null : await hashOf(body);
    const earlier = idempotencyKey === null ? null : await this.turns.findStarted(viewer, idempotencyKey);
    if (earlier && earlier.payloadHash === hash) return earlier;
    if (earlier) throw usedOtherwise(earlier);
    const begun = place ? null : await this.importHistory(viewer, question);
    let turn: Turn | null = null;
    try {
      turn = await this.startAt(viewer, question, place ?? { conversationId: begun }, hash, signal);
      return turn;
    } finally {
      // The request was refused, or was sent twice concurrently.
      if (begun !== null && turn?.conversationId !== begun)
        await this.turns.deleteConversation(viewer, begun);
    }
  }

  private async startAt(
    viewer: Viewer,
    { asked, assistant, answerSchema, idempotencyKey, echo, tools, ...question }: DialectQuestion,
    place: Place,
    hash: string | null,
    signal: AbortSignal,
  ): Promise<Turn> {
    const instructions = instructionsOf(asked, question.place !== null);
    const sent = {
      assistantKey: assistant.key,
      // A question may be only an image.
      text: isSeen(asked.question) ? asked.question : '…',
      files: await this.files.read(viewer.companyId, asked.files, signal),
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

  /** The id of a new conversation with the earlier messages. Null: none. */
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
        // A concurrent request created it first.
        if (begins !== null && isUniqueViolation(error)) return null;
        throw error;
      });
    return imported?.id ?? null;
  }

  /** Schedules the removal of an unstored conversation, in case this process dies first. */
  private async keep(
    tx: Transaction,
    viewer: Viewer,
    { isStored }: Pick<DialectQuestion, 'isStored'>,
    conversationId: string,
  ): Promise<void> {
    if (!isStored) await this.unstored.removeLater(tx, viewer, conversationId);
  }
}

/** A client's instructions. In an existing conversation, also the messages in between, which have no place there. */
function instructionsOf({ instructions, earlier }: AskedInput, isContinued: boolean): string | null {
  const told = isContinued && earlier.length > 0 ? [...instructions, transcriptOf(earlier)] : instructions;
  const text = wellFormed(told.filter(isSeen).join('\n\n'));
  if (text.length > MAX_INSTRUCTIONS)
    throw badInput(['instructions'], `At most ${MAX_INSTRUCTIONS} characters in all.`);
  return text === '' ? null : text;
}

function transcriptOf(earlier: readonly ToldMessage[]): string {
  return earlier.map(({ role, text }) => `${role === 'USER' ? 'User' : 'Assistant'}: ${text}`).join('\n\n');
}

/** In another thread: a body may have 16 MB. */
async function hashOf(body: unknown): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', Buffer.from(JSON.stringify(body)));
  return Buffer.from(hash).toString('hex');
}
