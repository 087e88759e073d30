import type { FastifyRequest } from 'fastify';

import { badInput } from '../common/errors/domain-error.js';
import { type FramePosition, readPosition } from './turn-frames.js';

/** Whether the client closed the connection. False if the server did, as at shutdown. */
export function hasLeft({ raw: { socket } }: FastifyRequest): boolean {
  return socket.readableEnded || socket.errored !== null;
}

/** The last frame that the client has. Null: not stated. Throws BAD_USER_INPUT. */
export function lastPosition({ headers }: FastifyRequest): FramePosition | null {
  const id = headers['last-event-id'];
  if (id === undefined || id === '') return null;
  const position = readPosition(String(id));
  if (!position) throw badInput(['Last-Event-ID'], 'This is no id of an event of a run.');
  return position;
}

/** The client's JSON. Throws BAD_USER_INPUT for other content, such as curl's default form type. */
export function sentJson({ headers, body }: FastifyRequest): unknown {
  const type = headers['content-type'];
  if (type !== undefined && !/^application\/(?:[\w.-]+\+)?json\b/i.test(type))
    throw badInput(['Content-Type'], 'Send JSON, with the header Content-Type: application/json.');
  return body;
}

/** Objects as server-sent events. */
export async function* eventFrames(
  events: Iterable<object> | AsyncIterable<object>,
): AsyncGenerator<string, void, undefined> {
  for await (const event of events) yield `data: ${JSON.stringify(event)}\n\n`;
}

/** Adds the final marker. */
export async function* untilDone(frames: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  yield* frames;
  yield 'data: [DONE]\n\n';
}
