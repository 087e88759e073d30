import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';

import { writeEvents } from './event-stream.js';

/** A response with a scripted client. */
class FakeResponse extends EventEmitter {
  readonly written: string[] = [];
  destroyed = false;
  isEnded = false;
  hasRoom = true;
  onStall: () => void = () => undefined;

  write(text: string): boolean {
    this.written.push(text);
    return this.hasRoom;
  }

  setTimeout(_ms: number, listener: () => void): void {
    this.onStall = listener;
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }

  end(): void {
    this.isEnded = true;
  }
}

describe('writeEvents', () => {
  let response: FakeResponse;
  let taken: number;
  let isReturned: boolean;
  let writingMs: number[];
  let waits: number;
  let isFree: boolean;

  const pace = {
    spent: (ms: number): void => void writingMs.push(ms),
    isFree: () => isFree,
    send: () => null,
    whenFree: () => {
      waits += 1;
      return Promise.resolve();
    },
  };

  async function* events(...texts: string[]): AsyncGenerator<string, void, undefined> {
    try {
      yield* texts;
    } finally {
      isReturned = true;
    }
  }

  const write = (source: AsyncGenerator<string, void, undefined>): Promise<void> =>
    writeEvents(response as unknown as ServerResponse, source, pace, () => (taken += 1));

  beforeEach(() => {
    response = new FakeResponse();
    taken = 0;
    isReturned = false;
    writingMs = [];
    waits = 0;
    isFree = true;
  });

  it('writes all and ends', async () => {
    await write(events('a', 'b'));
    expect(response).toMatchObject({ written: ['a', 'b'], isEnded: true, destroyed: false });
    expect(taken).toBe(2);
  });

  it('waits until the client has taken what it was given, and holds on to no listener', async () => {
    response.hasRoom = false;
    const drains: number[] = [];
    response.on('newListener', (name) => {
      if (name !== 'drain') return;
      drains.push(taken);
      setImmediate(() => response.emit('drain'));
    });
    await write(events('a', 'b', 'c'));
    expect(drains).toEqual([0, 1, 2]);
    expect(response.listenerCount('drain')).toBe(0);
    expect(response.listenerCount('close')).toBeLessThanOrEqual(1);
  });

  it('lets go of a client that takes nothing, and of what it would have been given', async () => {
    response.hasRoom = false;
    response.on('newListener', (name) => {
      if (name === 'drain') setImmediate(() => response.onStall());
    });
    await write(events('a', 'b'));
    expect(response).toMatchObject({ written: ['a'], destroyed: true, isEnded: false });
    expect(isReturned).toBe(true);
  });

  it('counts the time of each, and waits before each while there is too much of it', async () => {
    await write(events('a', 'b'));
    expect({ counted: writingMs.length, waits }).toEqual({ counted: 2, waits: 0 });
    isFree = false;
    await write(events('a', 'b'));
    expect({ counted: writingMs.length, waits }).toEqual({ counted: 4, waits: 2 });
  });

  it('writes nothing to a client that was gone before', async () => {
    response.destroyed = true;
    await write(events('a', 'b'));
    expect(response).toMatchObject({ written: [], isEnded: false });
    expect(isReturned).toBe(true);
  });
});
