import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '@palabre/json';

import { checkInput } from '../../common/check-input.js';
import type { Wording } from '../../common/wording/wording.js';
import type { PendingInput } from '../../conversations/turns/inputs/pending-input.entity.js';
import { MAX_MESSAGES, MAX_TOOLS } from '../client-tools.js';
import type { InlineFile } from '../inline-files.service.js';
import { fileInUrl, inlineFile } from '../sent-files.js';
import type { SentAnswer } from '../client-threads.service.js';
import { answerTo, type Given } from '../input-answers.js';
import type { SentMessage } from '../question-places.service.js';

const name = z.string().min(1, 'This must not be empty.').max(200, 'This has at most 200 characters.');

const Source = z.discriminatedUnion('type', [
  z.object({ type: z.literal('data'), value: z.string(), mimeType: z.string() }),
  z.object({ type: z.literal('url'), value: z.string(), mimeType: z.string().optional() }),
]);

const Named = z.object({ filename: z.string().optional(), name: z.string().optional() });

const Part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.enum(['image', 'document']),
    source: Source,
    metadata: Named.optional().catch(undefined),
  }),
  // Sent by clients before 1.0.
  z.object({
    type: z.literal('binary'),
    mimeType: z.string(),
    data: z.string().optional(),
    url: z.string().optional(),
    filename: z.string().optional(),
  }),
]);

const Content = z.union(
  [z.string(), z.array(Part)],
  'This must be text, or parts that are text, images or documents.',
);

const Message = z.looseObject({
  id: z.string(),
  role: z.string(),
  toolCallId: z.string().optional(),
  error: z.string().optional(),
});
type Message = z.output<typeof Message>;

const Forwarded = z.object({
  onDisconnect: z.enum(['continue', 'cancel']).default('continue'),
  whenBusy: z.enum(['REJECT', 'ENQUEUE', 'INTERRUPT']).optional(),
  /** The client sends no history. Its question follows the latest message. */
  follows: z.boolean().default(false),
});

export const RunAgentInput = z.object({
  threadId: name,
  runId: name,
  protocolVersion: z.string().nullish(),
  messages: z.array(Message).max(MAX_MESSAGES, `At most ${MAX_MESSAGES} messages.`).default([]),
  tools: z
    .array(
      z.object({
        name: z.string().min(1),
        description: z.string().optional(),
        parameters: z.custom<JsonObject>(isJsonObject, 'This must be a JSON Schema.').nullish(),
      }),
    )
    .max(MAX_TOOLS, `At most ${MAX_TOOLS} tools.`)
    .nullish(),
  resume: z
    .array(
      z.object({
        interruptId: z.string(),
        status: z.enum(['resolved', 'cancelled']),
        payload: z.custom<JsonValue>().optional(),
      }),
    )
    .nullish(),
  // Frameworks send anything here.
  forwardedProps: z.preprocess((given) => (isJsonObject(given) ? given : {}), Forwarded),
});
export type RunAgentInput = z.output<typeof RunAgentInput>;
export const CancelInput = RunAgentInput.pick({ threadId: true }).extend({ runId: name.nullish() });
type ResumeEntry = NonNullable<RunAgentInput['resume']>[number];

/** The messages up to the user's last. Files are read from that one only. Throws BAD_USER_INPUT. */
export function sentMessages({ messages }: RunAgentInput): SentMessage[] {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(0, last + 1).map((message, index): SentMessage => {
    const { id, role } = message;
    if (role !== 'user') return { id, role, text: '', files: [] };
    if (index < last) return { id, role, text: textIn(message.content), files: [] };
    const path = ['messages', String(index), 'content'];
    const content = checkInput(Content, message.content, path);
    const files =
      typeof content === 'string' ? [] : content.flatMap((part, at) => fileIn(part, [...path, String(at)]));
    return { id, role, text: textIn(content), files };
  });
}

function textIn(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : '';
  return content
    .flatMap((part: unknown) => (isJsonObject(part) && typeof part.text === 'string' ? [part.text] : []))
    .join('\n');
}

function fileIn(part: z.output<typeof Part>, path: string[]): InlineFile[] {
  if (part.type === 'text') return [];
  if (part.type === 'binary') {
    const { data, url, mimeType: mediaType, filename } = part;
    if (data !== undefined) return [inlineFile({ data, mediaType, name: filename }, [...path, 'data'])];
    return [fileInUrl(url ?? '', { mediaType, name: filename }, [...path, 'url'])];
  }
  const { type, value, mimeType } = part.source;
  const file = part.metadata?.filename ?? part.metadata?.name;
  const at = [...path, 'source', 'value'];
  if (type === 'url') return [fileInUrl(value, { mediaType: mimeType, name: file }, at)];
  return [inlineFile({ data: value, mediaType: mimeType, name: file }, at)];
}

const ApprovalPayload = z.union(
  [
    z.boolean().transform((approved) => ({ approved, editedArgs: undefined, comment: undefined })),
    z.object({
      approved: z.boolean(),
      editedArgs: z.custom<JsonObject>(isJsonObject).optional(),
      comment: z.string().optional(),
    }),
  ],
  'Give {"approved": true} or {"approved": false}.',
);

/** An entry of `resume` as an answer to its input. Throws BAD_USER_INPUT. */
export function resumeAnswer(
  input: PendingInput,
  { status, payload }: ResumeEntry,
  path: string[],
  words: Wording['doors'],
): SentAnswer {
  return { input, answer: answerTo(input, givenTo(input, { status, payload }, path, words)) };
}

function givenTo(
  { kind }: PendingInput,
  { status, payload }: Omit<ResumeEntry, 'interruptId'>,
  path: string[],
  { cancelled }: Wording['doors'],
): Given {
  const isCancelled = status === 'cancelled';
  if (kind === 'CLIENT_SKILL') return isCancelled ? { error: cancelled } : { value: payload ?? null };
  if (kind !== 'APPROVAL') return isCancelled ? { declined: true } : { value: payload };
  if (isCancelled) return { approve: false };
  const { approved, editedArgs, comment } = checkInput(ApprovalPayload, payload, [...path, 'payload']);
  return { approve: approved, arguments: approved ? editedArgs : undefined, comment };
}

/** The tool results after the assistant's last message, with their indexes. */
export function lastResults({ messages }: RunAgentInput): { message: Message; index: number }[] {
  const answer = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages
    .map((message, index) => ({ message, index }))
    .filter(({ message, index }) => index > answer && message.role === 'tool');
}

/** Tool results as answers to the client's calls. */
export function toolAnswers(results: readonly Message[], asked: readonly PendingInput[]): SentAnswer[] {
  const calls = new Map(
    asked.flatMap((input) => (input.kind === 'CLIENT_SKILL' ? [[input.callId, input] as const] : [])),
  );
  return results.flatMap(({ toolCallId = '', content, error }) => {
    const input = calls.get(toolCallId);
    if (!input) return [];
    const text = textIn(content);
    const value = (parseJson(text) ?? text) as JsonValue;
    const given = error ? { error: error.slice(0, 1_000) } : { value };
    return [{ input, answer: answerTo(input, given) }];
  });
}
