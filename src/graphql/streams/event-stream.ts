import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

import type { EventPace } from '../limits/usage-limits.service.js';

/** Keeps proxies from caching, compressing and buffering events. */
export const eventStreamHeaders: OutgoingHttpHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** Clients that also accept JSON get JSON. Stock clients accept both for queries. */
export function wantsEvents(accept = ''): boolean {
  return /\btext\/event-stream\b/i.test(accept) && !/json/i.test(accept);
}

/** A client that reads nothing for this long, not even keep-alive comments, has gone. */
export const STALLED_AFTER_MS = 30_000;

/** As fast as the client reads and its pace allows. Ends with `events`, or by their return() when the client has gone. */
export async function writeEvents(
  response: ServerResponse,
  events: AsyncGenerator<string, void, undefined>,
  pace: EventPace,
  taken: () => void = () => undefined,
): Promise<void> {
  const leave = (): void => void events.return();
  response.once('close', leave);
  // A response that is closed already emits no further event. Called later, because an iterator that never began
  // ignores its end.
  if (response.destroyed) queueMicrotask(leave);
  response.setTimeout(STALLED_AFTER_MS, () => response.destroy());
  for await (const event of events) {
    if (!pace.isFree()) await pace.whenFree();
    const sending = pace.send(event);
    if (sending) await sending;
    if (response.destroyed) break;
    const startedAt = performance.now();
    const hasRoom = response.write(event);
    pace.spent(performance.now() - startedAt);
    if (!hasRoom) await drained(response);
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
