import { PassThrough, Readable } from 'node:stream';

import { holdBody, holdingBody, MAX_ARRIVAL_MS } from './held-bodies.js';

/** Bodies that are held until released, and their number. */
class Sender {
  held = 0;
  private readonly letGo: (() => void)[] = [];

  constructor(private readonly company: string) {}

  async send(): Promise<void> {
    this.letGo.push(await holdBody(this.company));
    this.held += 1;
  }

  /** Resolves when everything that can continue has done so. */
  async end(count: number): Promise<void> {
    for (const each of this.letGo.splice(0, count)) each();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

it('holds so many of a company, and those of others besides', async () => {
  const [ours, theirs] = [new Sender('ours'), new Sender('theirs')];
  const sent = Array.from({ length: 20 }, () => theirs.send());
  await theirs.end(0);
  expect(theirs.held).toBe(8);
  await ours.send();
  expect(ours.held).toBe(1);
  await theirs.end(3);
  expect(theirs.held).toBe(11);
  await theirs.end(20);
  await theirs.end(20);
  await Promise.all(sent);
  await theirs.end(20);
  await ours.end(1);
});

it('lets go of what cannot be read', async () => {
  const failing = Array.from({ length: 20 }, () =>
    holdingBody(
      'a company',
      Readable.from([Buffer.from('unreadable')]),
      () => Promise.reject(new Error('It is damaged.')),
      new AbortController().signal,
    ),
  );
  const ends = await Promise.allSettled(failing);
  expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['rejected']));
  (await holdBody('a company'))();
});

it('refuses more than may wait, until there is room again', async () => {
  const sender = new Sender('another');
  const all = Array.from({ length: 109 }, () => sender.send());
  const refused = Promise.allSettled(all);
  await expect(all.at(-1)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  for (let round = 0; round < 20; round += 1) await sender.end(8);
  expect((await refused).filter(({ status }) => status === 'rejected')).toHaveLength(1);
});

it('frees the place in line of a client that leaves', async () => {
  const leaving = new AbortController();
  const sender = new Sender('one that leaves');
  for (let count = 0; count < 8; count += 1) await sender.send();
  const waiting = Array.from({ length: 100 }, () => holdBody('one that leaves', leaving.signal));
  const left = Promise.allSettled(waiting);
  leaving.abort();
  expect(new Set((await left).map(({ status }) => status))).toEqual(new Set(['rejected']));
  const next = sender.send();
  await sender.end(8);
  await next;
  await sender.end(1);
});

describe('a body that comes slowly', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const { signal } = new AbortController();

  it('is given up when it has not come in after its time', async () => {
    const content = new PassThrough();
    const reading = holdingBody('slow', content, (bytes) => Promise.resolve(bytes), signal);
    const refused = reading.catch((error: unknown) => error);
    content.write('some of it');
    await vi.advanceTimersByTimeAsync(MAX_ARRIVAL_MS - 1);
    expect(content.destroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await refused).toMatchObject({ extensions: { isLate: true } });
  });

  it('may be worked on for longer once it has come in', async () => {
    const content = new PassThrough();
    const { promise, resolve } = Promise.withResolvers<void>();
    const work = async (bytes: Buffer): Promise<string> => {
      await promise;
      return bytes.toString();
    };
    const working = holdingBody('slow', content, work, signal);
    content.end('all of it');
    await vi.advanceTimersByTimeAsync(2 * MAX_ARRIVAL_MS);
    resolve();
    expect(await working).toBe('all of it');
  });
});
