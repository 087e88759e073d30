import type { OutboundError } from '../../outbound/outbound-http.js';

/** Why a request got no answer, for people: what only the operator can mend names the setting. */
export const reasonOf = ({ code, message }: OutboundError): string =>
  code === 'BLOCKED'
    ? `${message} If it is meant to be reached, the operator of this server has to name it in OUTBOUND_ALLOW.`
    : message;
