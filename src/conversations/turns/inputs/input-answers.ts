import { z } from 'zod';
import {
  isDeeperThan,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAX_ARGUMENT_LEVELS,
} from '@palabre/json';

import { DomainError } from '../../../common/errors/domain-error.js';
import type { PendingInputKind } from '../turn-event.js';
import { wellFormedValue } from '../../../common/well-formed.js';
import type { PendingInput } from './pending-input.entity.js';
import type { Resolution } from './pending-input.repository.js';

export const MAX_VALUE_CHARACTERS = 100_000;
export const MAX_RESULT_CHARACTERS = 500_000;
/** For a comment, and for a client skill's error. */
export const MAX_COMMENT_CHARACTERS = 1_000;

function json(most: number) {
  return z
    .custom<JsonValue>()
    .refine((value) => !isDeeperThan(value, MAX_ARGUMENT_LEVELS), {
      error: `This must be at most ${MAX_ARGUMENT_LEVELS} levels deep.`,
      abort: true,
    })
    .refine(
      (value) => value === undefined || JSON.stringify(value).length <= most,
      `This is too long: it has more than ${most} characters of JSON.`,
    );
}

const words = z
  .string()
  .max(MAX_COMMENT_CHARACTERS, `This must be at most ${MAX_COMMENT_CHARACTERS} characters long.`);

export const ApprovalAnswer = z.object({
  approvalId: z.string(),
  approve: z.boolean(),
  arguments: json(MAX_VALUE_CHARACTERS)
    .pipe(
      z.custom<JsonObject>((value) => value == null || isJsonObject(value), 'This must be a JSON object.'),
    )
    .nullish(),
  comment: words.nullish(),
});

export const QuestionAnswer = z.object({
  id: z.string(),
  value: json(MAX_VALUE_CHARACTERS).nullish(),
  declined: z.boolean().nullish(),
});

export const ClientSkillAnswer = z.object({
  id: z.string(),
  result: json(MAX_RESULT_CHARACTERS).optional(),
  error: words.min(1, 'This must not be empty.').nullish(),
});

/** The value as the database returns it, so that it can be compared with a stored one. */
export function storable<Value extends JsonValue>(value: Value): Value {
  return wellFormedValue(JSON.parse(JSON.stringify(value)) as Value);
}

export function expired({ arguments: asked }: Pick<PendingInput, 'arguments'>, resolvedAt: Date): Resolution {
  return { status: 'EXPIRED', arguments: asked, answer: null, resolvedAt, resolvedBy: null, comment: null };
}

/** CONFLICT for an answer that is too late or not the first. */
export function conflict(input: PendingInput, withOthers = false): DomainError {
  return new DomainError('CONFLICT', whyRefused(input, withOthers), { status: input.status });
}

function whyRefused({ kind, status, resolvedAt, expiresAt }: PendingInput, withOthers: boolean): string {
  if (status === 'DENIED') return 'This was denied already.';
  if (status === 'APPROVED') return `This was approved already${withOthers ? ', with other arguments' : ''}.`;
  if (status === 'ANSWERED') return 'This was answered already, in another way.';
  if (status === 'DECLINED') return 'This was declined already.';
  // Unanswered approvals are closed when their turn ends, which may be before they expire.
  return status === 'CANCELLED' || (resolvedAt !== null && resolvedAt < expiresAt)
    ? 'The turn has ended: no answer is needed any more.'
    : `The time for an answer is over: it counts as ${kind === 'APPROVAL' ? 'denied' : 'declined'}.`;
}

/** Kinds of inputs by the fields of answerInput. */
export const kindOfAnswer = {
  question: 'QUESTION',
  clientSkill: 'CLIENT_SKILL',
  mcp: 'MCP_INPUT',
} as const satisfies Record<string, PendingInputKind>;
