import { isJsonObject } from '@palabre/json';
import { CloseCode, type Message, MessageType, parseMessage } from 'graphql-ws';

import { jsonFault } from '../limits/json-limits.js';

/** Enough for a token, which is all that a client sends before it is authenticated. */
const MAX_FIRST_MESSAGE_BYTES = 16 * 1024;

/** The maximum size of other messages than these: a kilobyte, which pings send, and its frame. */
const MAX_OTHER_MESSAGE_BYTES = 1024 + 64;
const LONG_MESSAGES = new Set<MessageType>([MessageType.ConnectionInit, MessageType.Subscribe]);

const SERVER_MESSAGES = new Set<MessageType>([
  MessageType.ConnectionAck,
  MessageType.Next,
  MessageType.Error,
]);

/** A message that closes its socket, and why. */
interface Refused {
  message: null;
  closing: { code: CloseCode; reason: string };
}

/** The client's message, or why it closes the socket. `isSignedIn`: the server has acknowledged the connection. */
export function readMessage(bytes: Buffer, isSignedIn: boolean): { message: Message } | Refused {
  if (!isSignedIn && bytes.length > MAX_FIRST_MESSAGE_BYTES) return badRequest('Too large a first message');
  const fault = jsonFault(bytes);
  if (fault !== null) return badRequest(fault);
  const message = parsed(bytes);
  if (message === null) return badRequest('Invalid message received');
  const { type } = message;
  if (SERVER_MESSAGES.has(type)) return badRequest('A message that the server alone sends');
  if (!isSignedIn && type !== MessageType.ConnectionInit)
    return refused(CloseCode.Unauthorized, 'Unauthorized');
  const isTooLarge = bytes.length > MAX_OTHER_MESSAGE_BYTES && !LONG_MESSAGES.has(type);
  return isTooLarge ? badRequest(`Too large a message of type ${type}`) : { message };
}

function parsed(bytes: Buffer): Message | null {
  try {
    return parseMessage(withText(JSON.parse(bytes.toString())));
  } catch {
    return null;
  }
}

/** Adds an empty text to an operation that is named by its hash, because graphql-ws requires a text. */
function withText(message: unknown): unknown {
  if (!isJsonObject(message) || !isJsonObject(message['payload'])) return message;
  const { payload } = message;
  const { documentId, extensions } = payload;
  const isNamed = documentId !== undefined || (isJsonObject(extensions) && 'persistedQuery' in extensions);
  return isNamed ? { ...message, payload: { query: '', ...payload } } : message;
}

function badRequest(reason: string): Refused {
  return refused(CloseCode.BadRequest, reason);
}

function refused(code: CloseCode, reason: string): Refused {
  return { message: null, closing: { code, reason } };
}
