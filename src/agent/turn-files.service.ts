import { Injectable } from '@nestjs/common';
import type { ChatFile } from '@palabre/llm-client';
import { singleLine, withoutEndOf, withoutHidden } from '@palabre/text';

import { Clock } from '../common/clock.js';
import { type AttachedQuestion, TurnAttachments } from '../conversations/turns/turn-attachments.service.js';
import type { Turn } from '../conversations/turns/turn.entity.js';
import { AttachmentContents } from '../documents/attachments/attachment-contents.service.js';
import type { Attachment } from '../documents/attachments/attachments.service.js';
import { RETRIEVE_DOCUMENTS } from '../skills/functions/documents/document-skill-keys.js';
import type { ModelPort, TokenCounter } from './loop/agent-ports.js';
import type { AgentTurn } from './loop/agent-turn.js';
import type { AttachedFile } from './loop/prompt/prompt.js';

/** The limit for all documents that a prompt contains completely. Others are searched. */
const MAX_WHOLE_TOKENS = 8_000;
/** The limit in a small window, as a share of prompt and answer. */
const WHOLE_SHARE = 1 / 4;
/** A document with more passages exceeds the token limit. */
const MAX_PASSAGES = 120;

/** The most images of earlier questions that are sent again, the newest first. */
const MAX_EARLIER_IMAGES = 5;

/** The largest share of its time that a turn waits for documents. */
const WAIT_SHARE = 1 / 2;
const MAX_WAIT_MS = 60_000;

const MAX_NAME_CHARACTERS = 200;
const MARK = 'attachment';

/** Puts the attachments of a turn's path into its prompt. */
@Injectable()
export class TurnFiles {
  constructor(
    private readonly questions: TurnAttachments,
    private readonly contents: AttachmentContents,
    private readonly clock: Clock,
  ) {}

  /** Waits for documents that are being read, for a part of the turn's time. Rejects with the signal's reason. */
  async complete(
    turn: Turn,
    agentTurn: AgentTurn,
    messageIds: readonly string[],
    { models, tokens, signal }: { models: ModelPort; tokens: TokenCounter; signal: AbortSignal },
  ): Promise<AgentTurn> {
    if (!agentTurn.documents.hasAttachments) return agentTurn;
    const owner = { companyId: turn.companyId, id: turn.memberId };
    const waited = documentsIn(await this.questions.list(turn));
    await this.contents.whenRead(owner, waited, { maxMs: this.waitMs(agentTurn), signal });
    const questions = await this.questions.list(turn);
    const window = Math.min(...models.candidates.map((model) => models.abilitiesOf(model).windowTokens));
    const wholeTokens = Math.min(MAX_WHOLE_TOKENS, Math.floor(WHOLE_SHARE * window));
    const files = await this.filesOf(questions, {
      questionId: turn.questionId,
      messageIds,
      wholeTokens,
      tokens,
      signal,
    });
    const filesOf = (messageId: string | undefined): { files?: AttachedFile[] } => {
      const own = files.get(messageId ?? '');
      return own ? { files: own } : {};
    };
    const { prompt, documents } = agentTurn;
    const areAttached = documentsIn(questions).length > 0;
    return {
      ...agentTurn,
      documents: { ...documents, areThere: documents.areThere || areAttached, areAttached },
      prompt: {
        ...prompt,
        ...filesOf(turn.questionId),
        history: prompt.history.map((said, index) => ({ ...said, ...filesOf(messageIds[index]) })),
      },
    };
  }

  private waitMs({ budget, phaseBeganMs }: AgentTurn): number {
    const spentMs = this.clock.elapsedMs() - phaseBeganMs;
    return Math.min(MAX_WAIT_MS, WAIT_SHARE * 1000 * budget.maxSeconds - spentMs);
  }

  /** By question: the files that fit, the newest first. */
  private async filesOf(
    questions: readonly AttachedQuestion[],
    {
      questionId,
      messageIds,
      wholeTokens,
      tokens,
      signal,
    }: {
      questionId: string;
      messageIds: readonly string[];
      wholeTokens: number;
      tokens: TokenCounter;
      signal: AbortSignal;
    },
  ): Promise<Map<string, AttachedFile[]>> {
    const told = new Map<string, AttachedFile[]>();
    const sent = new Set<string>();
    let left = wholeTokens;
    let images = 0;
    for (const { messageId, attachments } of questions) {
      const isAsked = messageId === questionId;
      if (!isAsked && !messageIds.includes(messageId)) continue;
      const files: AttachedFile[] = [];
      for (const attachment of attachments) {
        // A file that was sent again is included once.
        const isNew = !sent.has(attachment.id);
        let file: ChatFile | null = null;
        if (isNew && attachment.kind === 'DOCUMENT') {
          file = await this.wholeText(attachment);
          const needed = file ? tokens.count(file.text) : 0;
          if (needed > left) file = null;
          else left -= needed;
        } else if (isNew && (isAsked || images < MAX_EARLIER_IMAGES)) {
          file = await this.image(attachment, signal);
          if (!isAsked) images += 1;
        }
        if (file) sent.add(attachment.id);
        files.push({ words: wordsFor(attachment, file), file });
      }
      told.set(messageId, files);
    }
    return told;
  }

  private async wholeText(attachment: Attachment): Promise<Extract<ChatFile, { type: 'text' }> | null> {
    const text = await this.contents.textOf(attachment, MAX_PASSAGES);
    if (text === null) return null;
    const name = nameOf(attachment).replaceAll('"', "'");
    return {
      type: 'text',
      text: `<${MARK} name="${name}">\n${withoutEndOf(MARK, withoutHidden(text))}\n</${MARK}>`,
    };
  }

  private async image(attachment: Attachment, signal: AbortSignal): Promise<ChatFile | null> {
    if (attachment.status !== 'COMPLETED') return null;
    const data = await this.contents.imageOf(attachment, signal);
    return { type: 'image', mediaType: attachment.mediaType, data };
  }
}

function documentsIn(questions: readonly AttachedQuestion[]): Attachment[] {
  const documents = questions.flatMap(({ attachments }) =>
    attachments.filter(({ kind }) => kind === 'DOCUMENT'),
  );
  return [...new Map(documents.map((document) => [document.id, document])).values()];
}

function nameOf({ name }: Attachment): string {
  return singleLine(name, MAX_NAME_CHARACTERS);
}

/** The text for a file in every prompt, even stored ones. */
function wordsFor(attachment: Attachment, file: ChatFile | null): string {
  const { kind, status } = attachment;
  if (kind === 'IMAGE') return `[image ${nameOf(attachment)}]`;
  const state =
    status === 'FAILED'
      ? ': it could not be read'
      : status !== 'COMPLETED'
        ? ': it is still being read'
        : file
          ? ''
          : `: searched by ${RETRIEVE_DOCUMENTS}`;
  return `[document ${nameOf(attachment)}${state}]`;
}
