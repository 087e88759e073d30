import {
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client';

import { OutboundError } from '../../../outbound/outbound-http.js';
import type { SecretEcho } from '../../http/secret-echo.js';
import { mayHaveArrived } from '../../http/unknown-outcome.js';
import { oneLine } from './mcp-tools.js';

/**
 * What went wrong with a server. AWAY: it cannot be reached, or its answers are none; SLOW: it did not answer in time;
 * STALE: it has forgotten this connection, and did nothing; REFUSED: it has answered, with a refusal; CLOSED: nothing is
 * wrong with it, the connection was closed on our side.
 */
export type McpFailureKind = 'AWAY' | 'SLOW' | 'STALE' | 'REFUSED' | 'CLOSED';

/** Why a server did not do what it was asked for. The message is for people and models, and holds no secret. */
export class McpFailure extends Error {
  override readonly name = 'McpFailure';
  /** Whether what the server was asked for may have been carried out nevertheless. */
  readonly isInDoubt: boolean;

  constructor(
    readonly kind: McpFailureKind,
    message: string,
    { isInDoubt = false, ...options }: ErrorOptions & { isInDoubt?: boolean } = {},
  ) {
    super(message, options);
    this.isInDoubt = isInDoubt;
  }
}

/** Of a request that was on its way to the server when it failed. */
export const sentFailure = (failure: McpFailure): McpFailure => {
  const { kind, message, cause } = failure;
  return mayHaveRun(failure) ? new McpFailure(kind, message, { cause, isInDoubt: true }) : failure;
};

/** Of what went wrong because, or while, the connection was closed on our side. */
export const closedFailure = (failure?: McpFailure): McpFailure =>
  new McpFailure('CLOSED', 'The connection to the server is closed.', {
    cause: failure,
    isInDoubt: failure?.isInDoubt ?? false,
  });

const mayHaveRun = ({ kind, cause }: McpFailure): boolean => {
  if (kind !== 'SLOW' && kind !== 'AWAY') return false;
  const outbound = causesOf(cause).find((one) => one instanceof OutboundError);
  if (outbound) return mayHaveArrived(outbound);
  const http = causesOf(cause).find((one) => one instanceof SdkHttpError);
  return !http || (http.status ?? 500) >= 500;
};

/** The code by which an answer that broke off reaches whoever waits for it; the server cannot have sent it. */
export const BROKEN_OFF = -32_770_001;

const MAX_QUOTED_CHARACTERS = 500;

export const away = (message: string, cause?: unknown): McpFailure =>
  new McpFailure('AWAY', message, { cause });

/** `echo` takes secrets out of what the server says. */
export const mcpFailureOf = (error: unknown, echo: SecretEcho): McpFailure => {
  if (error instanceof McpFailure) return error;
  const outbound = causesOf(error).find((cause) => cause instanceof OutboundError);
  if (outbound) return outboundFailure(outbound);
  const http = causesOf(error).find((cause) => cause instanceof SdkHttpError);
  if (http) return httpFailure(http);
  const isOf = (code: string): boolean =>
    causesOf(error).some((cause) => 'code' in cause && cause.code === code);
  if (isOf('ENOENT')) return away('Its command was not found.', error);
  if (isOf('EACCES')) return away('Its command may not be started.', error);
  if (error instanceof ProtocolError) return protocolFailure(error, echo);
  if (error instanceof SdkError) return sdkFailure(error);
  // As the client says it of a request, and not as an SdkError.
  if (error instanceof Error && error.message === 'Not connected') return brokenOff(error);
  return away('It does not answer as an MCP server does.', error);
};

const brokenOff = (error: Error): McpFailure =>
  new McpFailure('STALE', 'The server broke off the connection.', { cause: error });

const causesOf = (error: unknown): object[] => {
  const causes: object[] = [];
  let cause = error;
  while (typeof cause === 'object' && cause !== null && causes.length < 8) {
    causes.push(cause);
    cause = 'cause' in cause ? cause.cause : null;
  }
  return causes;
};

const outboundFailure = (error: OutboundError): McpFailure => {
  if (error.code === 'TIMEOUT') return new McpFailure('SLOW', error.message, { cause: error });
  if (error.code === 'TOO_MANY_REDIRECTS') {
    return away('The server redirects to another address: give that one instead.', error);
  }
  // A whole answer came, and is of no use.
  if (error.code === 'TOO_LARGE') return new McpFailure('REFUSED', error.message, { cause: error });
  return away(error.message, error);
};

const httpFailure = (error: SdkHttpError): McpFailure => {
  const { status } = error;
  if (status === 401 || status === 403) {
    return away(`The server refuses access (HTTP ${status}): its headers must hold a valid key.`, error);
  }
  if (status === 404 || status === 400) {
    return new McpFailure(
      'STALE',
      `The server answers with HTTP ${status}: there may be no MCP server here.`,
      {
        cause: error,
      },
    );
  }
  return away(`The server answers with HTTP ${status}.`, error);
};

const protocolFailure = (error: ProtocolError, echo: SecretEcho): McpFailure => {
  if (error.code === BROKEN_OFF) return away('The server broke off its answer.', error);
  const said = oneLine(echo.text(error.message), MAX_QUOTED_CHARACTERS);
  const message =
    error.code === ProtocolErrorCode.InvalidParams
      ? `The server refuses the arguments: ${said}`
      : `The server reports an error: ${said}`;
  return new McpFailure('REFUSED', message, { cause: error });
};

const sdkFailure = (error: SdkError): McpFailure => {
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return new McpFailure('SLOW', 'The server did not answer in time.', { cause: error });
    case SdkErrorCode.ConnectionClosed:
      return away('The server broke off the connection.', error);
    case SdkErrorCode.NotConnected:
      return brokenOff(error);
    // One answer that is none says nothing of the others.
    case SdkErrorCode.InvalidResult:
      return new McpFailure('REFUSED', 'Its answer is not what the protocol asks for.', { cause: error });
    default:
      return away('It does not answer as an MCP server does.', error);
  }
};
