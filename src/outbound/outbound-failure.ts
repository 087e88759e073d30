import { OutboundError } from './outbound-http.js';

const unreachable: Readonly<Record<string, string>> = {
  ENOTFOUND: 'There is no server of this name.',
  EAI_AGAIN: 'The name of the server could not be looked up just now.',
  ECONNREFUSED: 'The server refuses the connection.',
  ECONNRESET: 'The server broke off the connection.',
  UND_ERR_SOCKET: 'The server broke off the connection.',
  UND_ERR_HEADERS_OVERFLOW: 'The server sends more headers than are read.',
  Z_DATA_ERROR: 'The answer is damaged.',
  ERR_BROTLI_DECODER_ERROR: 'The answer is damaged.',
};

const certificate = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY))/;

/** What went wrong on the way, in words of ours: those of the system hold addresses. */
export const outboundErrorOf = (error: unknown): OutboundError => {
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return timeout(error);
  const message = certificate.test(code)
    ? 'The certificate of the server is not valid.'
    : (unreachable[code] ?? 'The server cannot be reached.');
  return new OutboundError('UNREACHABLE', message, { cause: error });
};

export const timeout = (cause?: unknown): OutboundError =>
  new OutboundError('TIMEOUT', 'The server did not answer in time.', { cause });

const codeOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return '';
  // Of a name with several addresses, each has failed in its own way.
  if ('errors' in error && Array.isArray(error.errors)) return codeOf(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
};
