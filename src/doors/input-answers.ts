import type { JsonObject, JsonValue } from '@palabre/json';

import type { PendingInput } from '../conversations/turns/inputs/pending-input.entity.js';

export type Given =
  | { approve: boolean; arguments?: JsonObject | undefined; comment?: string | null | undefined }
  | { value: JsonValue | undefined }
  | { error: string }
  | { declined: true };

/** The answer in the form of `answer` of PendingInputs. */
export function answerTo({ id, kind }: PendingInput, given: Given): Readonly<Record<string, unknown>> {
  if (kind === 'APPROVAL') return { approval: { ...given, approvalId: id } };
  if (kind === 'QUESTION') return { question: { id, ...given } };
  if (kind === 'MCP_INPUT') return { mcp: { id, ...given } };
  return { clientSkill: { id, ...('value' in given ? { result: given.value } : given) } };
}
