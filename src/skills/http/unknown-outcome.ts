import type { OutboundError } from '@palabre/outbound';

import { codeOf } from '../../common/errors/error-code.js';

/** Told to a model of a call that must not be repeated, and may or may not have been carried out. */
export const OUTCOME_UNKNOWN =
  'Nobody knows whether the call was carried out: do not repeat it before this is checked, and tell the user.';

/** Nothing has been sent yet when these go wrong. */
const beforeSending = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT']);

/** Whether a request that went wrong this way may have been carried out. */
export function mayHaveArrived({ code, cause }: OutboundError): boolean {
  if (code === 'BLOCKED' || code === 'BAD_URL') return false;
  const reason = cause instanceof AggregateError ? (cause.errors[0] as unknown) : cause;
  return !beforeSending.has(String(codeOf(reason)));
}

const GRACE_MS = 1_000;

/** The request's timeout in ms. It is shorter than the skill's, because only the request knows whether it was sent. */
export function requestMsOf(timeoutMs: number): number {
  return timeoutMs - Math.min(GRACE_MS, timeoutMs / 5);
}
