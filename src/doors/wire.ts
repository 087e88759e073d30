import type { FastifyRequest } from 'fastify';

import { badInput } from '../common/errors/domain-error.js';
import { type FramePosition, readPosition } from './turn-frames.js';

/** Whether the client has closed the connection; false where this server did, as when it ends. */
export function hasLeft({ raw: { socket } }: FastifyRequest): boolean {
  return socket.readableEnded || socket.errored !== null;
}

/** The last frame that the client says it has; null: it says nothing. Throws BAD_USER_INPUT. */
export function lastPosition({ headers }: FastifyRequest): FramePosition | null {
  const id = headers['last-event-id'];
  if (id === undefined || id === '') return null;
  const position = readPosition(String(id));
  if (!position) throw badInput(['Last-Event-ID'], 'This is no id of an event of a run.');
  return position;
}

/** Objects as server-sent events. */
export async function* eventFrames(
  events: Iterable<object> | AsyncIterable<object>,
): AsyncGenerator<string, void, undefined> {
  for await (const event of events) yield `data: ${JSON.stringify(event)}\n\n`;
}

/** With the sign that no more come. */
export async function* untilDone(frames: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  yield* frames;
  yield 'data: [DONE]\n\n';
}
