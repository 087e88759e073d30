import { DomainError, type ErrorCode } from '../../common/errors/domain-error.js';
import type { DescribedError } from '../../graphql/http/described-error.js';
import { OPENAI_PATH } from '../door-paths.js';

interface OpenAiError {
  error: { message: string; type: string; param: string | null; code: string };
}

/** Fields of an OpenAI error that replace those derived from the code. */
interface Own {
  code: string;
  param?: string;
  /** A retry would not help. */
  isFinal?: boolean;
}

const codes: Record<string, { type: string; code: string }> = {
  UNAUTHENTICATED: { type: 'invalid_request_error', code: 'invalid_api_key' },
  FORBIDDEN: { type: 'invalid_request_error', code: 'permission_denied' },
  NOT_FOUND: { type: 'invalid_request_error', code: 'not_found' },
  BAD_USER_INPUT: { type: 'invalid_request_error', code: 'invalid_value' },
  CONFLICT: { type: 'invalid_request_error', code: 'conflict' },
  PAYLOAD_TOO_LARGE: { type: 'invalid_request_error', code: 'request_too_large' },
  RATE_LIMITED: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  UNAVAILABLE: { type: 'server_error', code: 'unavailable' },
} satisfies Partial<Record<ErrorCode, object>>;

/** The paths of startTurn's arguments in OpenAI's requests. */
const params: readonly (readonly [string, string])[] = [
  ['input.message', 'input'],
  ['input.attachmentIds', 'input'],
  ['input.clientSkills', 'tools'],
  ['input.answerSchema', 'text.format.schema'],
  ['input.assistantKey', 'model'],
  ['input.parentId', 'previous_response_id'],
  ['input.conversationId', 'conversation'],
  ['input.messages', 'input'],
  ['input.messageId', 'input'],
];

export function errorBody({ code, message, extensions }: DescribedError): OpenAiError {
  const { type, code: usual } = codes[code] ?? { type: 'server_error', code: 'server_error' };
  const own = extensions['openai'] as Own | undefined;
  const ownCode = own?.code ?? codeByFacts(code, extensions) ?? usual;
  return { error: { message, type, param: own?.param ?? paramOf(extensions), code: ownCode } };
}

/** OpenAI's SDKs retry server errors unless headers forbid it. */
export function errorHeaders({ code, extensions }: DescribedError): Record<string, string> {
  const own = extensions['openai'] as Own | undefined;
  const isFinal = own?.isFinal || codeByFacts(code, extensions) === 'insufficient_quota';
  return isFinal ? { 'x-should-retry': 'false' } : {};
}

/** The code for a used-up quota, and for an idempotency key of another turn. */
function codeByFacts(code: string, { resetsAt, turnId }: Record<string, unknown>): string | null {
  if (code === 'RATE_LIMITED' && resetsAt !== undefined) return 'insufficient_quota';
  return code === 'CONFLICT' && turnId !== undefined ? 'idempotency_conflict' : null;
}

function paramOf({ argument }: Record<string, unknown>): string | null {
  if (typeof argument !== 'string') return null;
  const [ours, theirs] = params.find(([name]) => argument.startsWith(name)) ?? ['', ''];
  return `${theirs}${argument.slice(ours.length)}`;
}

/** An error in OpenAI's form. `param`: the wrong field of the request. */
export function refusal(code: ErrorCode, message: string, own: Own): DomainError {
  return new DomainError(code, message, { openai: own });
}

export function previousNotFound(id: string): DomainError {
  return refusal('BAD_USER_INPUT', `Previous response with id '${id.slice(0, 100)}' not found.`, {
    code: 'previous_response_not_found',
    param: 'previous_response_id',
  });
}

export function responseNotFound(id: string): DomainError {
  return refusal('NOT_FOUND', `Response with id '${id.slice(0, 100)}' not found.`, {
    code: 'response_not_found',
  });
}

export function modelNotFound(key: string): DomainError {
  return refusal(
    'NOT_FOUND',
    `The model '${key.slice(0, 100)}' does not exist or answers no more: GET ${OPENAI_PATH}/models lists those that do.`,
    {
      code: 'model_not_found',
      param: 'model',
    },
  );
}
