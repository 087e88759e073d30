import { EventEmitter } from 'node:events';

import { jest } from '@jest/globals';

import { closeAtExpiry } from './socket-expiry.js';

class FakeSocket extends EventEmitter {
  readonly CLOSED = 3;
  readyState: 0 | 1 | 2 | 3 = 1;
  readonly codes: (number | undefined)[] = [];

  close(code?: number): void {
    this.codes.push(code);
    this.readyState = 3;
    this.emit('close');
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;
const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);

describe('closeAtExpiry', () => {
  let socket: FakeSocket;

  beforeEach(() => {
    jest.useFakeTimers();
    socket = new FakeSocket();
  });
  afterEach(() => jest.useRealTimers());

  it('closes when the token ends and not before', () => {
    closeAtExpiry(socket, inDays(1));
    jest.advanceTimersByTime(DAY_MS - 1);
    expect(socket.codes).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(socket.codes).toEqual([4403]);
  });

  it('waits longer than a timer can', () => {
    closeAtExpiry(socket, inDays(60));
    jest.advanceTimersByTime(60 * DAY_MS - 1);
    expect(socket.codes).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(socket.codes).toEqual([4403]);
  });

  it('closes at once for a token that has ended meanwhile', () => {
    closeAtExpiry(socket, inDays(-1));
    expect(socket.codes).toEqual([4403]);
  });

  it('leaves no timer behind when the client goes first, or has gone before', () => {
    closeAtExpiry(socket, inDays(1));
    expect(jest.getTimerCount()).toBe(1);
    socket.close(1000);
    expect(jest.getTimerCount()).toBe(0);
    closeAtExpiry(socket, inDays(1));
    expect(jest.getTimerCount()).toBe(0);
    expect(socket.codes).toEqual([1000]);
  });

  it('sets no end to what has none', () => {
    closeAtExpiry(socket, null);
    expect(jest.getTimerCount()).toBe(0);
  });
});
