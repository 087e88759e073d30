import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { shownJson } from '@palabre/text';
import { z } from 'zod';

import { fill, type Wording } from '../../common/wording/wording.js';
import type { Message } from '../../conversations/message.repository.js';
import type { PendingInput } from '../../conversations/turns/inputs/pending-input.entity.js';
import { shownInput } from '../../conversations/turns/inputs/shown-input.js';
import {
  isTerminal,
  isWaiting,
  type ShownInput,
  turnStatuses,
} from '../../conversations/turns/turn-event.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import { documentUri } from './mcp-caller.js';

/** The structured result of tools that ask for an answer. */
export const TurnReport = z.object({
  turnId: z.string().describe('For get_answer, answer_question and cancel_answer.'),
  conversationId: z.string().describe('For the next question.'),
  status: z.enum(turnStatuses).describe('COMPLETED, FAILED and CANCELLED are final.'),
  answer: z.string().nullable().describe('Markdown with [n] for its sources; null: there is none yet.'),
  sources: z.array(
    z.object({
      marker: z.int(),
      document: z.string(),
      uri: z.string().describe('A resource of this server.'),
      page: z.int().nullable(),
      quote: z.string(),
    }),
  ),
  waitsFor: z
    .array(
      z.object({
        id: z.string(),
        kind: z.enum(['APPROVAL', 'QUESTION', 'CLIENT_SKILL', 'MCP_INPUT']),
        message: z.string(),
        responseSchema: z.record(z.string(), z.unknown()).nullable(),
        expiresAt: z.string(),
      }),
    )
    .describe('What people have to give before it goes on.'),
  error: z.object({ code: z.string(), message: z.string(), retryable: z.boolean() }).nullable(),
});
export type TurnReport = z.output<typeof TurnReport>;

export function reportOf(
  { id, conversationId, status, error }: Turn,
  answer: Message | null,
  asked: readonly PendingInput[],
  words: Wording['doors'],
): TurnReport {
  return {
    turnId: id,
    conversationId,
    status,
    answer: answer?.text ?? null,
    sources: (answer?.citations ?? []).map(({ marker, documentId, documentName, page, quote }) => ({
      marker,
      document: documentName,
      uri: documentUri(documentId),
      page,
      quote,
    })),
    waitsFor: asked.map((input) => {
      const shown = shownInput(input);
      const responseSchema = 'responseSchema' in shown ? shown.responseSchema : null;
      const kind = shown.kind ?? 'APPROVAL';
      return {
        id: input.id,
        kind,
        message: messageOf(shown, words),
        responseSchema,
        expiresAt: shown.expiresAt,
      };
    }),
    error,
  };
}

/** The text of an input for a person. */
export function messageOf(input: ShownInput, { serverAsks, mayCarryOut }: Wording['doors']): string {
  switch (input.kind) {
    case 'QUESTION':
      return input.prompt;
    case 'MCP_INPUT':
      return fill(serverAsks, { server: input.server, message: input.message });
    default: {
      const why = 'reason' in input && input.reason ? `${input.reason}\n\n` : '';
      return `${why}${fill(mayCarryOut, { skill: input.skill, given: shownJson(input.arguments, 0) })}`;
    }
  }
}

/** The report as a tool's result. `inbox`: the page where people answer. */
export function resultOf(report: TurnReport, inbox: string): CallToolResult {
  const { status, answer, sources, turnId, conversationId } = report;
  const said = [answer ?? '', sources.map(sourceLine).join('\n')].filter((text) => text !== '').join('\n\n');
  const facts = `${noteOf(report, inbox)}turnId: ${turnId}\nconversationId: ${conversationId}`;
  const content: ContentBlock[] = [said, facts].flatMap((text) =>
    text === '' ? [] : { type: 'text', text },
  );
  return { content, structuredContent: report, ...(hasFailed(status) && { isError: true }) };
}

function hasFailed(status: TurnReport['status']): boolean {
  return isTerminal(status) && status !== 'COMPLETED';
}

function sourceLine({ marker, document, page, uri }: TurnReport['sources'][number]): string {
  return `[${marker}] ${document}${page === null ? '' : `, page ${page}`} (${uri})`;
}

function noteOf({ status, error, waitsFor }: TurnReport, inbox: string): string {
  if (status === 'FAILED')
    return `${error?.code ?? 'INTERNAL'}: ${error?.message ?? 'There is no answer.'}\n`;
  if (status === 'CANCELLED') return 'This was cancelled.\n';
  if (isWaiting(status)) return `${waitsFor.map((one) => waitingLine(one, inbox)).join('\n')}\n`;
  return isTerminal(status) ? '' : 'There is no answer yet: wait for it with get_answer.\n';
}

function waitingLine({ id, kind, message }: TurnReport['waitsFor'][number], inbox: string): string {
  return kind === 'QUESTION'
    ? `It asks the user: ${message}\nAsk them, and give the answer with answer_question (questionId: ${id}).`
    : `It waits for a person to decide at ${inbox}: ${message}\nThen wait for the answer with get_answer.`;
}
