import { z } from 'zod';
import type { ChatMessage } from '@palabre/llm-client';
import { isJsonObject, type JsonObject } from '@palabre/json';

import {
  type AskedFile,
  type AskedInput,
  fileAt,
  fileOf,
  nothingAsked,
  takeMessage,
  takeQuestion,
  textOf,
} from './asked-input.js';
import { MAX_FILE_NAME_CHARACTERS } from '../../companies/files/file-input.js';
import { MAX_TOOLS } from '../client-tools.js';
import { idBehind } from './openai-ids.js';
import { FunctionTool, MAX_ITEMS, MAX_MODEL_CHARACTERS, MAX_PARTS } from './response-request.js';

const Part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
  z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) }),
  z.object({
    type: z.literal('file'),
    file: z.object({
      file_data: z.string('Send the file itself: nothing is uploaded here under an id.'),
      filename: z.string().max(MAX_FILE_NAME_CHARACTERS).nullish(),
    }),
  }),
]);

const content = z.union([z.string(), z.array(Part).max(MAX_PARTS)]).nullish();
type Content = z.output<typeof content>;

const Message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer', 'user']), content }),
  z.object({
    role: z.literal('assistant'),
    content,
    tool_calls: z
      .array(z.object({ id: z.string() }))
      .max(MAX_TOOLS)
      .nullish(),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content }),
]);

/** The body of a request. Unknown fields are dropped. */
export const ChatRequest = z.object({
  model: z.string().max(MAX_MODEL_CHARACTERS),
  messages: z.array(Message).min(1).max(MAX_ITEMS),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.literal(1, 'There is one answer to a question.').nullish(),
  tools: z
    .array(
      z.object(
        { type: z.literal('function'), function: FunctionTool.omit({ type: true }) },
        'Functions alone.',
      ),
    )
    .max(MAX_TOOLS)
    .nullish(),
  tool_choice: z.unknown().optional(),
  response_format: z
    .discriminatedUnion('type', [
      z.object({ type: z.enum(['text', 'json_object']) }),
      z.object({
        type: z.literal('json_schema'),
        json_schema: z.object({
          schema: z.custom<JsonObject>(isJsonObject, 'This must be a JSON Schema.'),
        }),
      }),
    ])
    .nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
});
export type ChatRequest = z.output<typeof ChatRequest>;

/** The request in common form. */
export function askedInChat({ messages }: ChatRequest): AskedInput {
  const asked = nothingAsked();
  for (const message of messages) {
    // Text before a function call is not an answer.
    if (message.role === 'assistant' && message.tool_calls?.length) continue;
    const words = textOf(message.content);
    if (message.role === 'tool')
      asked.given.push({ inputId: idBehind('call', message.tool_call_id) ?? '', output: words });
    else takeMessage(asked, message.role, words, filesOf(message.content));
  }
  return asked.given.length > 0 ? asked : takeQuestion(asked);
}

export function toolsOf({ tools, tool_choice: choice }: ChatRequest): FunctionTool[] {
  if (choice === 'none') return [];
  return (tools ?? []).map((tool) => ({ type: 'function', ...tool.function }));
}

export function schemaOf({ response_format: format }: ChatRequest): JsonObject | null {
  return format?.type === 'json_schema' ? format.json_schema.schema : null;
}

/** The messages unchanged, for a model without an assistant. */
export function plainMessages({ messages }: ChatRequest): ChatMessage[] {
  return messages.flatMap(({ role, content: said }): ChatMessage[] => {
    if (role === 'tool') return [];
    return [{ role: role === 'developer' ? 'system' : role, content: textOf(said) }];
  });
}

function filesOf(said: Content): AskedFile[] {
  if (typeof said === 'string') return [];
  return (said ?? []).flatMap((part) => {
    if (part.type === 'image_url') return fileAt(part.image_url.url, 'image', true);
    if (part.type !== 'file') return [];
    return fileOf(part.file.file_data, part.file.filename ?? 'file');
  });
}
