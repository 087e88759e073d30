import { codeOf } from '../../common/errors/error-code.js';
import type { OutboundError } from '../../outbound/outbound-http.js';

/** Told to a model of a call that must not be repeated, and may or may not have been carried out. */
export const NOBODY_KNOWS =
  'Nobody knows whether the call was carried out: do not repeat it before this is checked, and tell the user.';

/** Nothing has been sent yet when these go wrong. */
const beforeSending = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT']);

/** Whether a request that went wrong this way may have been carried out. */
export const mayHaveArrived = ({ code, cause }: OutboundError): boolean => {
  if (code === 'BLOCKED' || code === 'BAD_URL') return false;
  const reason = cause instanceof AggregateError ? (cause.errors[0] as unknown) : cause;
  return !beforeSending.has(String(codeOf(reason)));
};

const GRACE_MS = 1_000;

/** What a request may take of a skill's time, so that it is over first: it knows what became of the call. */
export const requestMsOf = (timeoutMs: number): number => timeoutMs - Math.min(GRACE_MS, timeoutMs / 5);
