import { fairThread } from '@palabre/async';
import { OutboundHttp, type OutboundResponse, type OutboundStream } from '@palabre/outbound';

import { HttpLink } from './http-link.js';

/** Answers each request with the same text, in a number of parts. */
class AnsweringHttp extends OutboundHttp {
  constructor(
    private readonly type: string,
    private readonly parts = 1,
  ) {
    super();
  }

  override request(): Promise<OutboundResponse> {
    throw new Error('Nobody asks for this.');
  }

  override async open({ url }: { url: string }): Promise<OutboundStream> {
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [] } });
    const text = this.type === 'application/json' ? message : `data: ${message}\n\n`;
    const bytes = Buffer.from(text.padStart(text.length + this.parts - 1));
    const size = Math.floor(bytes.length / this.parts);
    const parts = Array.from({ length: this.parts }, (_, part) =>
      bytes.subarray(part * size, part === this.parts - 1 ? bytes.length : (part + 1) * size),
    );
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    });
    return { url, status: 200, headers: { 'content-type': this.type }, body };
  }
}

/** Resolves when the company's server has answered. */
async function answered(company: string | null, http: OutboundHttp, timeoutMs = 30_000): Promise<void> {
  const link = new HttpLink(http, {
    company,
    url: 'https://a.example/',
    headers: {},
    timeoutMs,
    isOperators: false,
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  Object.assign(link, { onmessage: () => resolve() });
  await link.start();
  await link.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  await promise;
}

it.each(['application/json', 'text/event-stream'])(
  'reads the answers of a company as %s when the thread admits them, and those of others meanwhile',
  async (type) => {
    const { promise: admitted, resolve } = Promise.withResolvers<void>();
    const admit = vi
      .spyOn(fairThread, 'admit')
      .mockImplementation((company) => (company === 'busy' ? admitted : Promise.resolve()));
    const order: string[] = [];
    const asked = (company: string): Promise<unknown> =>
      answered(company, new AnsweringHttp(type)).then(() => order.push(company));
    const busy = asked('busy');
    await asked('other');
    expect(order).toEqual(['other']);
    resolve();
    await busy;
    admit.mockRestore();
  },
);

it('has an answer of many parts wait no longer than one of a single part', async () => {
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const longestWaits: number[] = [];
  const admit = vi.spyOn(fairThread, 'admit').mockImplementation((_company, _bytes, { maxWaitMs }) => {
    longestWaits.push(maxWaitMs);
    now += maxWaitMs / 2;
    return Promise.resolve();
  });
  await answered('c', new AnsweringHttp('application/json', 100), 1_000);
  const [first = 0] = longestWaits;
  expect(longestWaits.slice(0, 3)).toEqual([first, first / 2, first / 4]);
  clock.mockRestore();
  admit.mockRestore();
});

it('has no answer wait of a server that companies use together', async () => {
  const admit = vi.spyOn(fairThread, 'admit');
  await answered(null, new AnsweringHttp('application/json'));
  expect(admit).not.toHaveBeenCalled();
  admit.mockRestore();
});
