import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '@palabre/json';

import { checkInput } from '../../common/check-input.js';
import type { PendingInput } from '../../conversations/turns/inputs/pending-input.entity.js';
import { MAX_MESSAGES, MAX_TOOLS } from '../client-tools.js';
import { fileInUrl } from '../sent-files.js';
import type { SentAnswer } from '../client-threads.service.js';
import { answerTo, type Given } from '../input-answers.js';
import type { SentMessage } from '../question-places.service.js';

const Part = z.looseObject({ type: z.string() });

const UiMessage = z.looseObject({
  id: z.string(),
  role: z.enum(['user', 'assistant', 'system']),
  parts: z.array(Part),
});
type UiMessage = z.output<typeof UiMessage>;

const FilePart = z.object({ url: z.string(), mediaType: z.string(), filename: z.string().optional() });

const ToolPart = z.object({
  toolCallId: z.string(),
  state: z.string(),
  output: z.custom<JsonValue>().optional(),
  errorText: z.string().optional(),
  approval: z
    .object({ id: z.string(), approved: z.boolean().optional(), reason: z.string().optional() })
    .optional(),
});
type ToolPart = z.output<typeof ToolPart>;

const schema = z.custom<JsonObject>(isJsonObject, 'This must be a JSON Schema.').optional();

/** The request of DefaultChatTransport, or a common variant with only the last message, as `message`. */
export const ChatRequest = z
  .object({
    id: z.string().min(1).max(200),
    messages: z.array(UiMessage).max(MAX_MESSAGES, `At most ${MAX_MESSAGES} messages.`).optional(),
    message: UiMessage.optional(),
    trigger: z.enum(['submit-message', 'regenerate-message']).default('submit-message'),
    messageId: z.string().nullish(),
    tools: z
      .array(
        z
          .object({ name: z.string().min(1), description: z.string().optional(), inputSchema: schema })
          .transform(({ inputSchema: parameters, ...tool }) => ({ ...tool, parameters })),
      )
      .max(MAX_TOOLS, `At most ${MAX_TOOLS} tools.`)
      .default([]),
    whenBusy: z.enum(['REJECT', 'ENQUEUE', 'INTERRUPT']).optional(),
  })
  .transform(({ message, messages, ...rest }) => ({
    ...rest,
    messages: messages ?? (message ? [message] : []),
  }))
  .refine(({ messages }) => messages.length > 0, { error: 'There is no message.', path: ['messages'] });
export type ChatRequest = z.output<typeof ChatRequest>;

/** The messages up to the user's last. Files are read from that one only. Throws BAD_USER_INPUT. */
export function sentMessages(messages: readonly UiMessage[]): SentMessage[] {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(0, last + 1).map(({ id, role, parts }, index) => ({
    id,
    role,
    text: role === 'user' ? textIn(parts) : '',
    files: index < last ? [] : filesIn(parts, ['messages', String(index), 'parts']),
  }));
}

function textIn(parts: UiMessage['parts']): string {
  return parts
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n');
}

function filesIn(parts: UiMessage['parts'], path: string[]): SentMessage['files'] {
  return parts.flatMap((part, index) => {
    if (part.type !== 'file') return [];
    const { url, mediaType, filename: name } = checkInput(FilePart, part, [...path, String(index)]);
    return [fileInUrl(url, { mediaType, name }, [...path, String(index), 'url'])];
  });
}

export function toolParts({ parts }: UiMessage): ToolPart[] {
  return parts.flatMap((part) => {
    const isTool = part.type === 'dynamic-tool' || part.type.startsWith('tool-');
    const read = isTool ? ToolPart.safeParse(part).data : undefined;
    return read ? [read] : [];
  });
}

/** The answers to inputs in the last message's parts. */
export function answersIn(parts: readonly ToolPart[], asked: readonly PendingInput[]): SentAnswer[] {
  return parts.flatMap((part) => {
    const { toolCallId, approval } = part;
    const input = asked.find(({ id, callId, kind }) => {
      if (kind === 'APPROVAL') return id === approval?.id;
      return (kind === 'MCP_INPUT' ? id : callId) === toolCallId;
    });
    const given = input && givenIn(input, part);
    return given ? [{ input, answer: answerTo(input, given) }] : [];
  });
}

function givenIn({ kind }: PendingInput, { state, output, errorText, approval }: ToolPart): Given | null {
  if (kind === 'APPROVAL') {
    if (approval?.approved === undefined) return null;
    return { approve: approval.approved, comment: approval.reason };
  }
  const isClientSkill = kind === 'CLIENT_SKILL';
  if (state === 'output-available') return { value: isClientSkill ? (output ?? null) : output };
  if (state !== 'output-error') return null;
  return isClientSkill ? { error: (errorText || 'It failed.').slice(0, 1_000) } : { declined: true };
}
