import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';

import type { WebSocket } from 'ws';

import { MAX_MESSAGES, SocketInbox } from './socket-inbox.js';

/** The parts of a WebSocket that an inbox uses. */
class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  isPaused = false;
  pause = (): void => void (this.isPaused = true);
  resume = (): void => void (this.isPaused = false);
  terminate = vi.fn<() => void>();
  close = vi.fn<() => void>(() => void (this.readyState = 2));
}

let socket: FakeSocket;
let connection: EventEmitter & { writableLength: number };
let handled: string[];
let inbox: SocketInbox;
/** Resolves when the next message may follow. */
let free: Promise<void>;

beforeEach(() => {
  vi.useFakeTimers();
  socket = new FakeSocket();
  connection = Object.assign(new EventEmitter(), { writableLength: 0 });
  handled = [];
  free = Promise.resolve();
  const ends = [socket, connection] as unknown as [WebSocket, Socket];
  inbox = new SocketInbox(...ends, async (message) => {
    handled.push(message.toString());
    await free;
  });
});
afterEach(() => void vi.useRealTimers());

async function receive(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) socket.emit('message', Buffer.from(String(index)));
  await vi.advanceTimersByTimeAsync(0);
}

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index));
}

it('hands on what comes, in order, and reads on', async () => {
  await receive(MAX_MESSAGES);
  expect(handled).toEqual(numbers(MAX_MESSAGES));
  expect(socket.isPaused).toBe(false);
});

it('hands on the next one when the one before lets it', async () => {
  const given = Promise.withResolvers<void>();
  free = given.promise;
  await receive(3);
  expect(handled).toEqual(['0']);
  given.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(handled).toEqual(numbers(3));
});

it('hands on nothing more once its socket has closed', async () => {
  const given = Promise.withResolvers<void>();
  free = given.promise;
  await receive(3);
  socket.readyState = 3;
  given.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(handled).toEqual(['0']);
});

it('does not read on while more has come than it hands on, and loses nothing of it', async () => {
  const count = MAX_MESSAGES + 200;
  await receive(count);
  expect(handled).toHaveLength(MAX_MESSAGES);
  expect(socket.isPaused).toBe(true);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(handled).toEqual(numbers(count));
  expect(socket.isPaused).toBe(false);
  expect(socket.close).not.toHaveBeenCalled();
});

it('hands on what comes later behind what waits, also when the thread was held up', async () => {
  await receive(MAX_MESSAGES + 2);
  // Timers are late: the next message comes when all of the window has passed.
  const now = performance.now() + 60_000;
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now);
  socket.emit('message', Buffer.from('later'));
  await vi.advanceTimersByTimeAsync(10_000);
  clock.mockRestore();
  expect(handled).toEqual([...numbers(MAX_MESSAGES + 2), 'later']);
});

it('closes a socket on which more waits than fits into a packet', async () => {
  await receive(MAX_MESSAGES + 501);
  expect(socket.close).toHaveBeenCalledExactlyOnceWith(1008, 'Too many messages');
  const before = [...handled];
  await vi.advanceTimersByTimeAsync(60_000);
  expect(handled).toEqual(before);
  expect(socket.terminate).toHaveBeenCalled();
});

it('closes a socket whose client goes on like that', async () => {
  for (let time = 0; time < 3; time += 1) {
    expect(socket.close).not.toHaveBeenCalled();
    await receive(MAX_MESSAGES + 200);
    await vi.advanceTimersByTimeAsync(20_000);
  }
  expect(socket.close).toHaveBeenCalledExactlyOnceWith(1008, 'Too many messages');
});

it('does not read on while many messages wait for the thread, which closes no socket', async () => {
  for (let time = 0; time < 4; time += 1) {
    const given = Promise.withResolvers<void>();
    free = given.promise;
    await receive(120);
    expect(socket.isPaused).toBe(true);
    given.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(socket.isPaused).toBe(false);
  }
  expect(handled).toHaveLength(4 * 120);
  expect(socket.close).not.toHaveBeenCalled();
});

it('does not read on while a large message waits, which closes no socket', async () => {
  const given = Promise.withResolvers<void>();
  free = given.promise;
  socket.emit('message', Buffer.alloc(1_000_000));
  await vi.advanceTimersByTimeAsync(0);
  expect(socket.isPaused).toBe(true);
  given.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(socket.isPaused).toBe(false);
  expect(socket.close).not.toHaveBeenCalled();
});

it('does not read on while answers wait for the client, however little it asks', async () => {
  connection.writableLength = 1024 * 1024 + 1;
  await receive(1);
  expect(socket.isPaused).toBe(true);
  await receive(MAX_MESSAGES + 200);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(socket.isPaused).toBe(true);
  connection.emit('drain');
  expect(socket.isPaused).toBe(false);
});

it('closes a socket when it is told to, and hands on nothing more', async () => {
  inbox.end();
  await receive(1);
  expect(handled).toEqual([]);
  expect(socket.close).toHaveBeenCalledExactlyOnceWith(1008, 'Too many messages');
});

it('does not read what comes on a closed socket, nor wait for long', async () => {
  await receive(1);
  socket.close();
  await receive(5);
  expect({ handled, isPaused: socket.isPaused }).toEqual({ handled: ['0'], isPaused: true });
  expect(socket.terminate).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(socket.terminate).toHaveBeenCalledExactlyOnceWith();
});

it('hands on long messages as if they were several', async () => {
  for (let count = 0; count < 20; count += 1) socket.emit('message', Buffer.alloc(900_000, 'a'));
  await vi.advanceTimersByTimeAsync(0);
  expect(handled).toHaveLength(10);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(handled).toHaveLength(20);
});
