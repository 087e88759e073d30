import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Nothing between server and client may hold events back: not to keep them, compress them, or send them in lots. */
export const eventStreamHeaders: OutgoingHttpHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** A client that takes JSON as well, as stock clients say of queries, is given that. */
export function wantsEvents(accept = ''): boolean {
  return /\btext\/event-stream\b/i.test(accept) && !/json/i.test(accept);
}

/** A client that takes nothing for this long, not even the comments that keep the connection alive, has gone. */
const STALLED_AFTER_MS = 30_000;

/**
 * Writes events one by one, as fast as the client takes them, and calls `taken` after each. Resolves when they are
 * over, or when the client has gone; then `events` is told so by its return().
 */
export async function writeEvents(
  response: ServerResponse,
  events: AsyncGenerator<string, void, undefined>,
  taken: () => void,
): Promise<void> {
  response.once('close', () => void events.return());
  response.setTimeout(STALLED_AFTER_MS, () => response.destroy());
  for await (const event of events) {
    if (response.destroyed) break;
    if (!response.write(event)) await drained(response);
    taken();
  }
  if (!response.destroyed) response.end();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
}
