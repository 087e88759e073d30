import type { JsonObject } from '@palabre/json';
import { faultOfSchema } from '@palabre/json-schema';
import { z } from 'zod';
import { isSeen } from '@palabre/text';
import { createHash } from 'node:crypto';

import type { ClientRequest } from './client-request.js';
import { clientSkillsInput } from './client-skills.js';

export const MAX_MESSAGE_CHARACTERS = 100_000;
export const MAX_ATTACHMENTS = 20;

/** Where ids stand in the arguments of startTurn and regenerate. */
export const ASSISTANT_ARGUMENT: readonly string[] = ['input', 'assistantKey'];
export const CONVERSATION_ARGUMENT: readonly string[] = ['input', 'conversationId'];
export const PARENT_ARGUMENT: readonly string[] = ['input', 'parentId'];
export const REPLACED_ARGUMENT: readonly string[] = ['input', 'replacesMessageId'];
export const ATTACHMENTS_ARGUMENT: readonly string[] = ['input', 'attachmentIds'];
export const MESSAGE_ARGUMENT: readonly string[] = ['input', 'messageId'];

export const whenBusyChoices = ['REJECT', 'ENQUEUE', 'INTERRUPT'] as const;
export type WhenBusy = (typeof whenBusyChoices)[number];

const assistantKey = z
  .string()
  .max(100, 'This is no assistant’s key.')
  .nullish()
  .transform((key) => key ?? null);

const whenBusy = z
  .enum(whenBusyChoices)
  .nullish()
  .transform((choice) => choice ?? 'ENQUEUE');

const idempotencyKey = z
  .string()
  .min(1, 'An idempotency key must not be empty.')
  .max(200, 'An idempotency key has at most 200 characters.')
  .refine((key) => !key.includes('\0') && key.isWellFormed(), 'This is not text.')
  .nullish()
  .transform((key) => key ?? null);

/** Left out of the payload's hash when it is not given, so that the hash of what was stored before is the same. */
const optionalId = z
  .string()
  .nullish()
  .transform((id) => id ?? undefined);

/** A JSON Schema of an object. Compiled to be checked, which takes up to a tenth of a second. */
const answerSchema = z
  .custom<JsonObject>()
  .superRefine((schema, context) => {
    const message = schema == null ? null : faultOfSchema(schema);
    if (message !== null) context.addIssue({ code: 'custom', message });
  })
  .nullish()
  .transform((schema) => schema ?? undefined);

/** The input of startTurn. GraphQL clients may send null for fields that they leave out. */
export const StartTurn = z.object({
  conversationId: z
    .string()
    .nullish()
    .transform((id) => id ?? null),
  parentId: optionalId,
  replacesMessageId: optionalId,
  assistantKey,
  message: z
    .string()
    .max(MAX_MESSAGE_CHARACTERS, `A message has at most ${MAX_MESSAGE_CHARACTERS} characters.`)
    .transform((message) => message.replaceAll('\0', '').toWellFormed())
    .refine(isSeen, 'A message must not be empty.'),
  documentIds: z
    .array(z.string())
    .max(100, 'At most 100 documents.')
    .nullish()
    .transform((ids) => ids ?? []),
  attachmentIds: z
    .array(z.string())
    .max(MAX_ATTACHMENTS, `At most ${MAX_ATTACHMENTS} attachments.`)
    .nullish()
    .transform((ids) => (ids ? [...new Set(ids)] : undefined)),
  clientSkills: clientSkillsInput,
  answerSchema,
  whenBusy,
  idempotencyKey,
});
export type StartTurn = z.output<typeof StartTurn>;

export const Regenerate = z.object({ messageId: z.string(), assistantKey, whenBusy, idempotencyKey });
export type Regenerate = z.output<typeof Regenerate>;

/** Tells different payloads under one idempotency key apart. */
export function payloadHash({
  idempotencyKey: _key,
  client,
  ...payload
}: (StartTurn | Regenerate) & { client?: ClientRequest | undefined }): string {
  return client?.hash ?? createHash('sha256').update(JSON.stringify(payload)).digest('hex');
}
