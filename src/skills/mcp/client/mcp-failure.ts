import {
  InsufficientScopeError,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { OutboundError } from '@palabre/outbound';
import { singleLine } from '@palabre/text';
import { parseJson } from '@palabre/json';

import { codeOf } from '../../../common/errors/error-code.js';
import type { SecretEcho } from '../../http/secret-echo.js';
import { mayHaveArrived, OUTCOME_UNKNOWN } from '../../http/unknown-outcome.js';
import { ServiceError, SkillError } from '../../skill.js';

/**
 * AWAY: unreachable, or access denied. UNANSWERED: no answer in time, or it broke off. STALE: the server forgot this
 * connection, and did nothing. REFUSED: a refusal or a useless answer, which says nothing about other requests.
 * CLOSED: our side closed the connection.
 */
type McpFailureKind = 'AWAY' | 'UNANSWERED' | 'STALE' | 'REFUSED' | 'CLOSED';

interface McpFailureOptions extends ErrorOptions {
  isInDoubt?: boolean;
  needsAdmin?: boolean;
}

/** Why a server did not fulfil a request. The message is for people and models, without secrets. */
export class McpFailure extends Error {
  override readonly name = 'McpFailure';
  /** Whether the request may have been carried out nevertheless. */
  readonly isInDoubt: boolean;
  /** Whether an admin must restore access first. */
  readonly needsAdmin: boolean;

  constructor(
    readonly kind: McpFailureKind,
    message: string,
    { isInDoubt = false, needsAdmin = false, ...options }: McpFailureOptions = {},
  ) {
    super(message, options);
    this.isInDoubt = isInDoubt;
    this.needsAdmin = needsAdmin;
  }
}

export function sentFailure(failure: McpFailure): McpFailure {
  const { kind, message, cause } = failure;
  return mayHaveRun(failure) ? new McpFailure(kind, message, { cause, isInDoubt: true }) : failure;
}

/** The failure of a request when our side closed the connection. */
export function closedFailure(failure?: McpFailure): McpFailure {
  return new McpFailure('CLOSED', 'The connection to the server is closed.', {
    cause: failure,
    isInDoubt: failure?.isInDoubt ?? false,
  });
}

/** The error for the model, without secrets, depending on whether the call may be repeated. */
export function skillErrorOf(
  error: McpFailure | SkillError,
  isRepeatable: boolean,
  echo: SecretEcho,
): SkillError {
  if (error instanceof McpFailure) {
    const isInDoubt = error.isInDoubt && !isRepeatable;
    const doubt = isInDoubt ? ` ${OUTCOME_UNKNOWN}` : '';
    const fault = isInDoubt ? 'IN_DOUBT' : error.needsAdmin ? 'NO_ACCESS' : 'FAILED';
    return new ServiceError(`${error.message}${doubt}`, fault, { cause: error });
  }
  const words = echo.text(error.message);
  const { cause } = error;
  if (error instanceof ServiceError) return new ServiceError(words, error.fault, { cause });
  return new SkillError(words, { cause });
}

function mayHaveRun({ kind, cause, isInDoubt, needsAdmin }: McpFailure): boolean {
  if (needsAdmin) return false;
  const http = causesOf(cause).find((one) => one instanceof SdkHttpError);
  if (http) return (http.status ?? 500) >= 500;
  if (kind !== 'UNANSWERED' && kind !== 'AWAY') return isInDoubt;
  const outbound = causesOf(cause).find((one) => one instanceof OutboundError);
  return !outbound || mayHaveArrived(outbound);
}

/** The code for an answer that broke off. No server can send it. */
export const BROKEN_OFF = -32_770_001;

const MAX_QUOTED_CHARACTERS = 500;
const MAX_PAGES = 5;

export function unreachable(message: string, cause?: unknown): McpFailure {
  return new McpFailure('AWAY', message, { cause });
}

export function noAccess(message: string, cause?: unknown): McpFailure {
  return new McpFailure('AWAY', message, { cause, needsAdmin: true });
}

/** A refusal of one request only. */
export function refused(message: string, cause?: unknown): McpFailure {
  return new McpFailure('REFUSED', message, { cause });
}

/** `echo` removes secrets from the server's words. */
export function mcpFailureOf(error: unknown, echo: SecretEcho): McpFailure {
  if (error instanceof McpFailure) return error;
  for (const cause of causesOf(error)) {
    if (cause instanceof McpFailure) return cause;
    if (cause instanceof OutboundError) return outboundFailure(cause);
    if (cause instanceof SdkHttpError) return httpFailure(cause, echo);
    if (cause instanceof InsufficientScopeError) return scopeFailure(cause, echo);
    if (codeOf(cause) === 'ENOENT') return unreachable('Its command was not found.', error);
    if (codeOf(cause) === 'EACCES') return unreachable('Its command may not be started.', error);
  }
  if (error instanceof ProtocolError) return protocolFailure(error, echo);
  if (error instanceof SdkError) return sdkFailure(error);
  // The client's error of a request, which is not an SdkError.
  if (error instanceof Error && error.message === 'Not connected') return brokenOff(error);
  return unreadable(error);
}

/** The failure for a session that the server has forgotten. */
export function lostSession(error: SdkHttpError): McpFailure {
  return new McpFailure('STALE', statusMessage(error), { cause: error });
}

/** An answer that cannot be read. The call may have been carried out. */
function unreadable(error: unknown): McpFailure {
  return new McpFailure('REFUSED', 'It does not answer as an MCP server does.', {
    cause: error,
    isInDoubt: true,
  });
}

function brokenOff(error: Error): McpFailure {
  return new McpFailure('STALE', 'The server broke off the connection.', { cause: error });
}

function causesOf(error: unknown): object[] {
  const causes: object[] = [];
  let cause = error;
  while (typeof cause === 'object' && cause !== null && causes.length < 8) {
    causes.push(cause);
    cause = 'cause' in cause ? cause.cause : null;
  }
  return causes;
}

function outboundFailure(error: OutboundError): McpFailure {
  if (error.code === 'TOO_MANY_REDIRECTS')
    return unreachable('The server redirects to another address: give that one instead.', error);
  // A complete answer came, but it is useless.
  if (error.code === 'TOO_LARGE') return new McpFailure('REFUSED', error.message, { cause: error });
  if (!mayHaveArrived(error)) return unreachable(error.message, error);
  return new McpFailure('UNANSWERED', error.message, { cause: error });
}

function httpFailure(error: SdkHttpError, echo: SecretEcho): McpFailure {
  const { status } = error;
  if (status === 401) return noAccess(statusMessage(error), error);
  const said = refusalIn(error)?.message;
  const message =
    said === undefined
      ? statusMessage(error)
      : `The server answers with HTTP ${status}: ${singleLine(echo.text(said), MAX_QUOTED_CHARACTERS)}`;
  return new McpFailure('REFUSED', message, { cause: error });
}

/** Servers with scopes refuse single tools in this way. The client has dropped status and body. */
function scopeFailure(error: InsufficientScopeError, echo: SecretEcho): McpFailure {
  const scope = singleLine(echo.text(error.requiredScope ?? ''), MAX_QUOTED_CHARACTERS);
  const lacks = scope === '' ? 'has not the rights for this' : `lacks the scope ${scope}`;
  return new McpFailure(
    'REFUSED',
    `The server refuses access (HTTP 403): what it is sent to be let in ${lacks}.`,
    { cause: error, needsAdmin: true },
  );
}

const Refusal = z.object({ id: z.unknown(), error: z.object({ message: z.string() }) });

/** The protocol's error in an answer's body, and the id of its request. */
export function refusalIn({ data }: SdkHttpError): { id: unknown; message: string } | null {
  const parsed = Refusal.safeParse(parseJson(String(data.text ?? '')));
  return parsed.success ? { id: parsed.data.id, message: parsed.data.error.message } : null;
}

function statusMessage({ status }: SdkHttpError): string {
  switch (status) {
    case 401:
    case 403:
      return `The server refuses access (HTTP ${status}): its headers must hold a valid key, or an admin must sign in.`;
    case 400:
      return `The server answers with HTTP ${status}: there may be no MCP server here.`;
    // The HTTP+SSE transport of 2024 answers a POST with these. Its addresses often end in /sse.
    case 404:
    case 405:
      return (
        `The server answers with HTTP ${status}: there may be no MCP server here, or one by HTTP+SSE, which is not ` +
        'used. Look for its Streamable HTTP address, which often ends in /mcp.'
      );
    case 429:
      return 'The server was asked too often (HTTP 429): try again later.';
    default:
      return `The server answers with HTTP ${status}.`;
  }
}

function protocolFailure(error: ProtocolError, echo: SecretEcho): McpFailure {
  if (error.code === BROKEN_OFF)
    return new McpFailure('UNANSWERED', 'The server broke off its answer.', { cause: error });
  const said = singleLine(echo.text(error.message), MAX_QUOTED_CHARACTERS);
  const message =
    error.code === ProtocolErrorCode.InvalidParams
      ? `The server refuses the arguments: ${said}`
      : `The server reports an error: ${said}${error instanceof UrlElicitationRequiredError ? toOpen(error, echo) : ''}`;
  return new McpFailure('REFUSED', message, { cause: error });
}

const Page = z.object({ url: z.string(), message: z.string().catch('') });

/** A page that a person has to open first, such as a sign-in at a service behind the server. */
function toOpen({ elicitations }: UrlElicitationRequiredError, echo: SecretEcho): string {
  const pages = z.array(Page).catch([]).parse(elicitations).slice(0, MAX_PAGES);
  const words = pages.map(({ url, message }) =>
    singleLine(echo.text(`${url} (${message})`), MAX_QUOTED_CHARACTERS),
  );
  return words.length === 0
    ? ''
    : ` It wants the person to open ${words.join(', ')}: tell them so, and call again when they have done it.`;
}

function sdkFailure(error: SdkError): McpFailure {
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return new McpFailure('UNANSWERED', 'The server did not answer in time.', { cause: error });
    case SdkErrorCode.ConnectionClosed:
      return unreachable('The server broke off the connection.', error);
    case SdkErrorCode.NotConnected:
      return brokenOff(error);
    // An invalid answer says nothing about other requests, nor whether this one was carried out.
    case SdkErrorCode.InvalidResult:
      return new McpFailure('REFUSED', 'Its answer is not what the protocol asks for.', {
        cause: error,
        isInDoubt: true,
      });
    default:
      return unreadable(error);
  }
}
