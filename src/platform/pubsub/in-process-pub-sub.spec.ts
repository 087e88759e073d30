import { Writable } from 'node:stream';

import { newId } from '../../common/ids.js';
import { createLogger } from '../../common/process/logger.js';
import { Transaction } from '../database/transaction.js';
import { Listeners, InProcessPubSub } from './in-process-pub-sub.js';

function start() {
  const lines: string[] = [];
  const destination = new Writable({
    write: (line: Buffer, _encoding, done) => {
      lines.push(line.toString());
      done();
    },
  });
  return { lines, listeners: new Listeners(createLogger({ level: 'info', pretty: false, destination })) };
}

it('tells everybody who listens to the topic, in order, until they leave', () => {
  const { listeners } = start();
  const heard: string[] = [];
  const leave = listeners.add('a', (payload) => heard.push(`first ${payload}`));
  listeners.add('a', (payload) => heard.push(`second ${payload}`));
  listeners.add('b', (payload) => heard.push(`other ${payload}`));
  listeners.tell('a', '1');
  leave();
  leave();
  listeners.tell('a', '2');
  listeners.tell('c', '3');
  expect(heard).toEqual(['first 1', 'second 1', 'second 2']);
});

it('takes the same function twice for two listeners', () => {
  const { listeners } = start();
  let calls = 0;
  const listener = (): void => void (calls += 1);
  const leave = listeners.add('a', listener);
  listeners.add('a', listener);
  leave();
  listeners.tell('a', '');
  expect(calls).toBe(1);
});

it('keeps nothing of those who have left', () => {
  const { listeners } = start();
  for (const leave of Array.from({ length: 100 }, (_, index) => listeners.add(`t${index}`, () => {})))
    leave();
  expect(listeners.topics).toBe(0);
});

it('is not stopped by a listener that comes back while it is told', () => {
  const { listeners } = start();
  let calls = 0;
  const again = (): void => {
    calls += 1;
    leave();
    leave = listeners.add('a', again);
  };
  let leave = listeners.add('a', again);
  listeners.tell('a', '');
  expect(calls).toBe(1);
});

it('logs a listener that throws, and tells the others', () => {
  const { listeners, lines } = start();
  const heard: string[] = [];
  listeners.add('a', () => {
    throw new Error('of the listener');
  });
  listeners.add('a', (payload) => heard.push(payload));
  listeners.tell('a', '1');
  expect(heard).toEqual(['1']);
  expect(lines).toEqual([expect.stringContaining('of the listener')]);
});

function transaction(): Transaction {
  return new Transaction(newId(), {} as never);
}

it('tells a hint when its transaction is committed, and not before', async () => {
  const pubSub = new InProcessPubSub(createLogger({ level: 'silent', pretty: false }));
  const heard: string[] = [];
  const leave = pubSub.subscribe('a', (payload) => heard.push(payload));
  const [committed, rolledBack, later] = [transaction(), transaction(), transaction()];
  await pubSub.publish(committed, 'a', '1');
  await pubSub.publish(rolledBack, 'a', '2');
  expect(heard).toEqual([]);
  committed.runAfterCommit();
  expect(heard).toEqual(['1']);
  leave();
  await pubSub.publish(later, 'a', '3');
  later.runAfterCommit();
  expect(heard).toEqual(['1']);
  expect(pubSub.listening).toEqual({ state: 'not needed' });
});
