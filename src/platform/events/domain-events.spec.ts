import { Transaction } from '../database/transaction.js';
import { defineEvent, DomainEvents } from './domain-events.js';

const renamed = defineEvent<{ from: string; to: string }>('thing.renamed');
const removed = defineEvent<string>('thing.removed');
const tx = new Transaction('company', {} as ConstructorParameters<typeof Transaction>[1]);

it('tells whoever listens, in the order in which they came, within the transaction', async () => {
  const events = new DomainEvents();
  const told: unknown[] = [];
  events.on(renamed, async (given, payload) => void told.push(1, given === tx, payload));
  events.on(renamed, async () => void told.push(2));
  events.on(removed, async () => void told.push('another event'));
  await events.emit(tx, renamed, { from: 'a', to: 'b' });
  expect(told).toEqual([1, true, { from: 'a', to: 'b' }, 2]);
});

it('has what one of them rejects with fail the transaction, and tells nobody after it', async () => {
  const events = new DomainEvents();
  const told: string[] = [];
  events.on(removed, () => Promise.reject(new Error('not like this')));
  events.on(removed, async (_tx, id) => void told.push(id));
  await expect(events.emit(tx, removed, 'id')).rejects.toThrow('not like this');
  expect(told).toEqual([]);
});

it('needs nobody to listen', async () => {
  await expect(new DomainEvents().emit(tx, removed, 'id')).resolves.toBeUndefined();
});
