import type { OutboundError, OutboundErrorCode } from '@palabre/outbound';

import { codeOf } from '../../common/errors/error-code.js';

/** The message to a model about a call that must not be repeated and may have been carried out. */
export const OUTCOME_UNKNOWN =
  'Nobody knows whether the call was carried out: do not repeat it before this is checked, and tell the user.';

const neverSent: ReadonlySet<OutboundErrorCode> = new Set(['BLOCKED', 'BAD_URL', 'BUSY']);

/** These errors occur before anything is sent. */
const beforeSending = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT']);

/** Whether a request with this error may have been carried out. */
export function mayHaveArrived({ code, cause }: OutboundError): boolean {
  if (neverSent.has(code)) return false;
  const reason = cause instanceof AggregateError ? (cause.errors[0] as unknown) : cause;
  return !beforeSending.has(String(codeOf(reason)));
}

const GRACE_MS = 1_000;

/** The request's timeout in ms. It is shorter than the skill's, because only the request knows whether it was sent. */
export function requestMsOf(timeoutMs: number): number {
  return timeoutMs - graceMsOf(timeoutMs);
}

/**
 * The most milliseconds that an answer waits to be read, so that the skill stays within its time. `tookMs`: what has
 * passed of that. Half of the rest is left, as many answers may be overdue at once.
 */
export function readingWaitMsOf(timeoutMs: number, tookMs = requestMsOf(timeoutMs)): number {
  return Math.max(0, timeoutMs - tookMs - graceMsOf(timeoutMs) / 2) / 2;
}

function graceMsOf(timeoutMs: number): number {
  return Math.min(GRACE_MS, timeoutMs / 5);
}
