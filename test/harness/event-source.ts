import type { GraphQLAnswer, WireEvent } from './test-client.js';

/** What comes over a stream of server-sent events: `next` with a result, `complete`, or a comment without either. */
export interface StreamEvent {
  event: 'next' | 'complete' | 'comment';
  data: unknown;
}

function toEvent(lines: string): StreamEvent {
  const fields = new Map(
    lines.split('\n').map((line) => {
      const [name = '', value = ''] = line.split(/: ?(.*)/, 2);
      return [name, value];
    }),
  );
  const data = fields.get('data');
  const event = (fields.get('event') ?? 'comment') as StreamEvent['event'];
  return { event, data: data ? JSON.parse(data) : null };
}

/** Reads a response as it comes, by what the standard says of event streams and no client library. */
export async function* readStream(response: Response): AsyncGenerator<StreamEvent, void> {
  let rest = '';
  for await (const text of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) yield toEvent(block);
  }
}

/** The turn's events in the results of a stream, which has to come to its end. */
export async function* turnEventsIn(response: Response): AsyncGenerator<WireEvent, void> {
  for await (const { event, data } of readStream(response)) {
    if (event === 'complete') return;
    if (event === 'comment') continue;
    const { data: found, errors } = data as GraphQLAnswer<{ turnEvents: WireEvent }>;
    if (errors || !found) throw new Error(JSON.stringify(errors));
    yield found.turnEvents;
  }
  throw new Error('The stream ended without the event `complete`.');
}
