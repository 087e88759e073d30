import { newId } from '../common/ids.js';
import { createLogger } from '../common/process/logger.js';
import { Transaction } from '../database/transaction.js';
import { InProcessPubSub } from './in-process-pub-sub.js';

const transaction = (): Transaction => new Transaction(newId(), {} as never);

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
