import { setTimeout as sleep } from 'node:timers/promises';

import { type Sight, toldOf } from './laws.js';
import type { TestClient } from './test-client.js';

/** What a client meets that should simply come again; anything else is a fault. */
const PASSING_CODES = new Set(['UNAVAILABLE', 'RATE_LIMITED']);

/** Of RFC 6455: what is 4000 or more tells the client that it did something wrong. */
const FIRST_PRIVATE_CLOSE_CODE = 4000;

const PAUSE_MS = 25;

/** Whether it is worth coming again after `error`: the server or the network is away, or says so. */
export function isPassing(error: unknown): boolean {
  const codes = codesOf(error);
  if (codes.length > 0) return codes.every((code) => PASSING_CODES.has(code));
  if (!isObject(error)) return false;
  if (typeof error.code === 'number') return error.code < FIRST_PRIVATE_CLOSE_CODE;
  // An ErrorEvent of a socket that could not be opened; fetch, which could not connect or was cut off.
  return 'error' in error || error.name === 'TypeError';
}

// Not `instanceof Error`: what Node itself throws comes from another realm than the test runner's.
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function messageOf(error: unknown): string {
  return isObject(error) && typeof error.message === 'string' && error.message !== ''
    ? error.message
    : (JSON.stringify(error) ?? String(error));
}

/** The GraphQL error codes in whatever was thrown. */
function codesOf(error: unknown): string[] {
  return [...messageOf(error).matchAll(/"code":"([A-Z_]+)"/g)].map(([, code = '']) => code);
}

/** Clients of several replicas, of whom `next` gives one, whichever. */
export interface Choice {
  next(): TestClient;
}

/** Does `work` with one client after another until one gets through; rejects with what is no passing failure. */
export async function persistently<T>(choice: Choice, work: (client: TestClient) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work(choice.next());
    } catch (error) {
      if (!isPassing(error)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

export interface PersistentSight extends Sight {
  /** How often they came back and were shown more. */
  resumes: number;
  /** How servers and networks closed their sockets, by the codes of WebSocket. */
  closeCodes: number[];
}

/**
 * Watches a turn to its end through whatever befalls servers and networks, each time at the client that comes next.
 * `leavesAfter`: they leave by themselves after so many events, once for each. `onEvent` is told how many there are.
 */
export async function watchPersistently(
  choice: Choice,
  turnId: string,
  { after = 0, leavesAfter = [] }: { after?: number; leavesAfter?: readonly number[] } = {},
  onEvent: (count: number) => void = () => undefined,
): Promise<PersistentSight> {
  const sight: PersistentSight = { after, events: [], told: null, error: null, resumes: 0, closeCodes: [] };
  const { events } = sight;
  const leaves = [...leavesAfter];
  let isOver = false;
  while (!isOver) {
    const from = events.length;
    try {
      isOver = await visit(choice.next(), turnId, sight, { most: leaves.shift() ?? Infinity, onEvent });
    } catch (error) {
      if (isObject(error) && typeof error.code === 'number') sight.closeCodes.push(error.code);
      isOver = !isPassing(error);
      if (isOver) sight.error = messageOf(error);
      else await sleep(PAUSE_MS);
    }
    if (from > 0 && events.length > from) sight.resumes += 1;
  }
  if (events.length > 0) sight.told = await persistently(choice, (client) => toldOf(client, turnId));
  return sight;
}

/** Sees at most `most` more events; true when there are no more to come. Rejects when it is broken off. */
async function visit(
  client: TestClient,
  turnId: string,
  { after, events }: Sight,
  { most, onEvent }: { most: number; onEvent: (count: number) => void },
): Promise<boolean> {
  const socket = client.socket();
  let left = most;
  try {
    for await (const event of client.turnEvents(turnId, events.at(-1)?.sequence ?? after, socket)) {
      events.push(event);
      onEvent(events.length);
      left -= 1;
      if (left === 0) return event.__typename === 'TurnDone';
    }
  } finally {
    await socket.dispose();
  }
  // Only to whoever asked for what is later than the end, nothing at all is shown.
  const isWhole = events.length === 0 ? after > 0 : events.at(-1)?.__typename === 'TurnDone';
  if (!isWhole) throw new Error('The subscription completed without TurnDone.');
  return true;
}
