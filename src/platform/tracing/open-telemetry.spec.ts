import { RecordedTracing } from './recorded-tracing.double.js';
import { currentTraceparent, inSpan, iterateInSpan, within } from './span.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const caller = `00-${TRACE}-b7ad6b7169203331-01`;

async function traceIdOf(traceparent: unknown): Promise<string> {
  const tracing = new RecordedTracing();
  await within(tracing.receive(traceparent), () =>
    inSpan(
      'work',
      () => ({}),
      async () => undefined,
    ),
  );
  return tracing.span('work').spanContext().traceId;
}

it.each([
  [caller, true],
  [`01-${TRACE}-b7ad6b7169203331-01-more`, true],
  [`ff-${TRACE}-b7ad6b7169203331-01`, false],
  [`00-${'0'.repeat(32)}-b7ad6b7169203331-01`, false],
  [`00-${TRACE}-b7ad6b7169203331`, false],
  [['00'], false],
  [undefined, false],
])('continues the trace of %j: %s', async (traceparent, isContinued) => {
  expect((await traceIdOf(traceparent)) === TRACE).toBe(isContinued);
});

it('does not send what its caller does not sample, and says so to others', async () => {
  const tracing = new RecordedTracing();
  const told = await within(tracing.receive(caller.replace(/1$/, '0')), () =>
    inSpan(
      'work',
      () => ({}),
      async () => currentTraceparent(),
    ),
  );
  expect(told).toMatch(new RegExp(`^00-${TRACE}-[\\da-f]{16}-00$`));
  expect(tracing.spans()).toEqual([]);
});

it('takes what goes on after a span for no work of it', async () => {
  const tracing = new RecordedTracing();
  const gate = Promise.withResolvers<void>();
  let later: Promise<void> = Promise.resolve();
  await within(tracing.receive(null), () =>
    inSpan(
      'work',
      () => ({}),
      async () => {
        later = gate.promise.then(() =>
          inSpan(
            'later',
            () => ({}),
            async () => undefined,
          ),
        );
      },
    ),
  );
  gate.resolve();
  await later;
  expect(tracing.spans().map(({ name }) => name)).toEqual(['work']);
});

it('names the code of what went wrong, and never its words', async () => {
  const tracing = new RecordedTracing();
  const failing = inSpanOf(tracing, async () => {
    throw Object.assign(new Error('a secret'), { code: 'NOT_FOUND' });
  });
  await expect(failing).rejects.toThrow('a secret');
  const { attributes, status, events } = tracing.span('work');
  expect({ attributes, status, events }).toEqual({
    attributes: { 'error.type': 'NOT_FOUND' },
    status: { code: 2 },
    events: [],
  });
});

describe('the span of values that come one after the other', () => {
  async function* numbers(): AsyncGenerator<number> {
    yield 1;
    yield 2;
  }

  async function take(work: () => AsyncIterable<number>, count = Infinity): Promise<RecordedTracing> {
    const tracing = new RecordedTracing();
    const values = within(tracing.receive(null), () => iterateInSpan('work', () => ({}), work));
    let taken = 0;
    for await (const _ of values) {
      taken += 1;
      if (taken === count) break;
    }
    return tracing;
  }

  it('ends with the last value, and with whoever takes no more', async () => {
    for (const count of [Infinity, 1]) {
      const tracing = await take(numbers, count);
      expect(tracing.spans().map(({ name, status }) => [name, status.code])).toEqual([['work', 0]]);
    }
  });

  it.each<[when: string, work: () => AsyncIterable<number>]>([
    [
      'at once',
      () => {
        throw new Error('no values');
      },
    ],
    [
      'later',
      async function* fail() {
        yield 1;
        throw new Error('no values');
      },
    ],
  ])('ends as failed when the source fails %s', async (_when, work) => {
    const tracing = new RecordedTracing();
    const consume = async (): Promise<void> => {
      for await (const _ of iterateInSpan('work', () => ({}), work));
    };
    await expect(within(tracing.receive(null), consume)).rejects.toThrow('no values');
    expect(tracing.span('work').status).toEqual({ code: 2 });
  });
});

function inSpanOf(tracing: RecordedTracing, work: () => Promise<void>): Promise<void> {
  return within(tracing.receive(null), () => inSpan('work', () => ({}), work));
}
