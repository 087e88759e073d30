import { z } from 'zod';
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

/** For the input of a response, and for the messages of a chat. */
export const MAX_ITEMS = 5_000;
export const MAX_PARTS = 100;
export const MAX_MODEL_CHARACTERS = 200;
const MAX_METADATA = 16;

const text = z.object({ text: z.string() });
const Part = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['input_text', 'output_text', 'text', 'summary_text']), ...text.shape }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
  z.object({ type: z.literal('input_image'), image_url: z.string().nullish() }),
  z.object({
    type: z.literal('input_file'),
    filename: z.string().max(MAX_FILE_NAME_CHARACTERS).nullish(),
    file_data: z.string().nullish(),
    file_url: z.string().nullish(),
  }),
]);
type Part = z.output<typeof Part>;

const content = z.union([z.string(), z.array(Part).max(MAX_PARTS)]);

/** Messages and references may omit their type. */
function withType(item: unknown): unknown {
  if (!isJsonObject(item) || (item['type'] !== undefined && item['type'] !== null)) return item;
  return { ...item, type: 'role' in item ? 'message' : 'item_reference' };
}

const Item = z.preprocess(
  withType,
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('message'),
      role: z.enum(['user', 'assistant', 'system', 'developer']),
      content,
    }),
    z.object({ type: z.literal('function_call_output'), call_id: z.string(), output: content }),
    z.object({
      type: z.literal('mcp_approval_response'),
      approval_request_id: z.string(),
      approve: z.boolean(),
      reason: z.string().nullish(),
    }),
    z.object({ type: z.literal('item_reference'), id: z.string() }),
    z.object({ type: z.literal('compaction'), encrypted_content: z.string() }),
    // Other output items of ours, which a client may send back. The turn has them.
    z.object({ type: z.enum(['reasoning', 'function_call', 'mcp_approval_request', 'mcp_call']) }),
  ]),
);
type Item = z.output<typeof Item>;

/** A function that the client carries out. */
export const FunctionTool = z.object({
  type: z.literal('function', 'Only tools of the type function are carried out by clients.'),
  name: z.string(),
  description: z.string().nullish(),
  parameters: z.custom<JsonObject>(isJsonObject, 'This must be a JSON Schema.').nullish(),
  strict: z.boolean().nullish(),
});
export type FunctionTool = z.output<typeof FunctionTool>;

const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.object({ type: z.literal('function'), name: z.string() }),
  z.object({
    type: z.literal('allowed_tools'),
    mode: z.enum(['none', 'auto', 'required']).default('auto'),
    tools: z.array(z.object({ type: z.literal('function'), name: z.string() })).max(MAX_TOOLS),
  }),
]);

const textFormat = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['text', 'json_object']) }),
  z.object({
    type: z.literal('json_schema'),
    name: z.string().max(64).default('answer'),
    description: z.string().nullish(),
    schema: z.custom<JsonObject>(isJsonObject, 'This must be a JSON Schema.'),
    strict: z.boolean().nullish(),
  }),
]);

const fraction = z.number().min(-2).max(2).nullish();

/** Fields that answers repeat, used or not. */
const repeated = {
  temperature: fraction,
  top_p: fraction,
  presence_penalty: fraction,
  frequency_penalty: fraction,
  top_logprobs: z.int().min(0).max(20).nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  max_tool_calls: z.int().min(1).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  truncation: z.enum(['auto', 'disabled']).nullish(),
  service_tier: z.string().max(64).nullish(),
  safety_identifier: z.string().max(64).nullish(),
  prompt_cache_key: z.string().max(64).nullish(),
  reasoning: z
    .object({ effort: z.string().max(20).nullish(), summary: z.string().max(20).nullish() })
    .nullish(),
  metadata: z
    .record(z.string().max(64), z.string().max(512))
    .refine((given) => Object.keys(given).length <= MAX_METADATA, `At most ${MAX_METADATA} entries.`)
    .nullish(),
};

/** The body of a request. Unknown fields are dropped. */
export const ResponseRequest = z.object({
  ...repeated,
  model: z.string().max(MAX_MODEL_CHARACTERS).nullish(),
  input: z.union([z.string(), z.array(Item).max(MAX_ITEMS)]).nullish(),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  conversation: z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish(),
  tools: z.array(FunctionTool).max(MAX_TOOLS).nullish(),
  tool_choice: toolChoice.nullish(),
  text: z
    .object({ format: textFormat.nullish(), verbosity: z.enum(['low', 'medium', 'high']).nullish() })
    .nullish(),
  stream: z.boolean().nullish(),
  background: z.boolean().nullish(),
  store: z.boolean().nullish(),
});
export type ResponseRequest = z.output<typeof ResponseRequest>;

export function itemsOf({ input }: Pick<ResponseRequest, 'input'>): Item[] {
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : (input ?? []);
}

export function toolsOf({ tools, tool_choice: choice }: ResponseRequest) {
  const all = tools ?? [];
  if (choice === 'none') return [];
  if (typeof choice !== 'object' || choice?.type !== 'allowed_tools') return all;
  if (choice.mode === 'none') return [];
  return all.filter(({ name }) => choice.tools.some((allowed) => allowed.name === name));
}

export function schemaOf({ text: wanted }: ResponseRequest): JsonObject | null {
  const format = wanted?.format;
  return format?.type === 'json_schema' ? format.schema : null;
}

/** The request in common form. */
export function askedOf({
  input,
  instructions,
}: Pick<ResponseRequest, 'input' | 'instructions'>): AskedInput {
  const asked = nothingAsked();
  if (instructions) asked.instructions.push(instructions);
  for (const item of itemsOf({ input })) take(asked, item);
  return asked.given.length > 0 ? asked : takeQuestion(asked);
}

function take(asked: AskedInput, item: Item): void {
  if (item.type === 'message')
    return takeMessage(asked, item.role, textOf(item.content), filesOf(item.content));
  if (item.type === 'compaction') {
    asked.instructions.push(summaryIn(item.encrypted_content));
    return;
  }
  if (item.type === 'item_reference') {
    const turnId = idBehind('msg', item.id);
    const isKnown = asked.earlier.some((message) => message.turnId === turnId);
    if (turnId !== null && !isKnown) asked.earlier.push({ role: 'ASSISTANT', text: '', turnId });
    return;
  }
  if (item.type === 'function_call_output')
    asked.given.push({ inputId: idBehind('call', item.call_id) ?? '', output: textOf(item.output) });
  if (item.type === 'mcp_approval_response') {
    const inputId = idBehind('apr', item.approval_request_id) ?? '';
    asked.given.push({ inputId, approve: item.approve, comment: item.reason ?? null });
  }
}

function filesOf(said: string | readonly Part[]): AskedFile[] {
  if (typeof said === 'string') return [];
  return said.flatMap((part) => {
    if (part.type === 'input_image')
      return part.image_url
        ? fileAt(part.image_url, 'image', true)
        : { name: 'image', isImage: true, source: null };
    if (part.type !== 'input_file') return [];
    const name = part.filename ?? 'file';
    if (part.file_url) return fileAt(part.file_url, name, false);
    return part.file_data ? fileOf(part.file_data, name) : { name, isImage: false, source: null };
  });
}

/** Our summary as the content of a compaction item. It is not secret, and as trusted as the client's text. */
export function packedSummary(summary: string): string {
  return Buffer.from(summary).toString('base64url');
}

function summaryIn(packed: string): string {
  return Buffer.from(packed, 'base64url').toString();
}
