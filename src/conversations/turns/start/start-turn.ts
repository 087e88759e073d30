import type { JsonObject } from '@palabre/json';
import { faultOfSchema } from '@palabre/json-schema';
import { z } from 'zod';
import { isSeen } from '@palabre/text';
import { createHash } from 'node:crypto';

import type { ClientRequest } from './client-request.js';
import { clientSkillsInput } from './client-skills.js';
import { wellFormed } from '../../../common/well-formed.js';

export const MAX_MESSAGE_CHARACTERS = 100_000;
export const MAX_ATTACHMENTS = 20;
export const MAX_DOCUMENTS = 100;
export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 200;

/** The paths of ids in the arguments of startTurn and regenerate. */
export const ASSISTANT_ARGUMENT: readonly string[] = ['input', 'assistantKey'];
export const CONVERSATION_ARGUMENT: readonly string[] = ['input', 'conversationId'];
export const PARENT_ARGUMENT: readonly string[] = ['input', 'parentId'];
export const REPLACED_ARGUMENT: readonly string[] = ['input', 'replacesMessageId'];
export const ATTACHMENTS_ARGUMENT: readonly string[] = ['input', 'attachmentIds'];
export const MESSAGE_ARGUMENT: readonly string[] = ['input', 'messageId'];

const whenBusyChoices = ['REJECT', 'ENQUEUE', 'INTERRUPT'] as const;
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
  .max(
    MAX_IDEMPOTENCY_KEY_CHARACTERS,
    `An idempotency key has at most ${MAX_IDEMPOTENCY_KEY_CHARACTERS} characters.`,
  )
  .refine((key) => !key.includes('\0') && key.isWellFormed(), 'This is not text.')
  .nullish()
  .transform((key) => key ?? null);

/** Absent if not given, so that the payload's hash of stored turns stays the same. */
const optionalId = z
  .string()
  .nullish()
  .transform((id) => id ?? undefined);

/** A JSON Schema of an object. Compiling it for the check takes up to a tenth of a second. */
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
    .transform(wellFormed)
    .refine(isSeen, 'A message must not be empty.'),
  documentIds: z
    .array(z.string())
    .max(MAX_DOCUMENTS, `At most ${MAX_DOCUMENTS} documents.`)
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

/** Distinguishes different payloads under one idempotency key. */
export function payloadHash({
  idempotencyKey: _key,
  client,
  ...payload
}: (StartTurn | Regenerate) & { client?: ClientRequest | undefined }): string {
  return client?.hash ?? createHash('sha256').update(JSON.stringify(payload)).digest('hex');
}
