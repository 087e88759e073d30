import type { ElicitResult, InputRequiredResult } from '@modelcontextprotocol/client';
import { faultOfFlatSchema } from '@palabre/json-schema';
import { singleLine } from '@palabre/text';
import { isJsonObject, type JsonObject } from '@palabre/json';

import type { McpRequest } from '../../../conversations/turns/turn-event.js';
import { type GivenInput, ServiceError } from '../../skill.js';
import type { Elicitation } from './live-call.js';

const MAX_MESSAGE_CHARACTERS = 1_000;
const MAX_URL_CHARACTERS = 2_000;
const MAX_REQUESTS = 10;

type Shown = Pick<McpRequest, 'message' | 'responseSchema' | 'url'>;

/** A server's question for people. Null: it cannot be shown. */
export function shownElicitation(given: Elicitation): Shown | null {
  const params = given as JsonObject;
  const message = singleLine(String(params.message ?? ''), MAX_MESSAGE_CHARACTERS);
  if (params.mode === 'url') {
    const url = URL.parse(String(params.url));
    const isShown = url?.protocol === 'https:' || url?.protocol === 'http:';
    return isShown && url.href.length <= MAX_URL_CHARACTERS
      ? { message, responseSchema: null, url: url.href }
      : null;
  }
  const schema = params.requestedSchema;
  if (!isJsonObject(schema)) return null;
  // Without fields, the server only wants a confirmation.
  const isEmpty = isJsonObject(schema.properties) && Object.keys(schema.properties).length === 0;
  if (!isEmpty && faultOfFlatSchema(schema) !== null) return null;
  return { message, responseSchema: isEmpty ? null : schema, url: null };
}

/** A server's questions before its answer. Throws ServiceError for other or too many requests. */
export function requestsIn(
  { inputRequests = {}, requestState }: Pick<InputRequiredResult, 'inputRequests' | 'requestState'>,
  from: Pick<McpRequest, 'server' | 'isLive'>,
): McpRequest[] {
  const requests = Object.entries(inputRequests).map(([name, { method, params }]) => {
    const shown = method === 'elicitation/create' ? shownElicitation(params as Elicitation) : null;
    return shown && { ...from, ...shown, name, state: requestState ?? null };
  });
  const usable = requests.filter((request) => request !== null);
  if (usable.length === requests.length && usable.length > 0 && usable.length <= MAX_REQUESTS) return usable;
  throw new ServiceError(
    'The server needs to know more before it does this, in a form in which nobody can be asked here: do not call it again.',
  );
}

/** The answer in the server's form. */
export function elicitResultOf({ request, action, content }: GivenInput): ElicitResult {
  if (action !== 'accept') return { action };
  return { action, ...(request.url === null && { content: (content ?? {}) as ElicitResult['content'] }) };
}
