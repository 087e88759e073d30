import { newId } from '../../common/ids.js';
import type { Database } from '../../platform/database/database.js';
import { Transaction } from '../../platform/database/transaction.js';
import type { AssistantRepository } from './assistant.repository.js';
import { AssistantsService } from './assistants.service.js';

/** The service on a table in memory; `asked` are the keys that were looked up there. */
function start() {
  const ids = new Map<string, string>();
  const asked: string[] = [];
  const repository = {
    addMissing: async () => undefined,
    find: async ({ companyId }: Transaction, { key }: { key: string }) => {
      asked.push(key);
      const id = ids.get(companyId + key);
      return id === undefined ? null : { id };
    },
  } as unknown as AssistantRepository;
  const assistants = new AssistantsService({} as Database, repository, []);
  const companyId = newId();
  return {
    asked,
    set: (id: string, company = companyId) => ids.set(`${company}mefali`, id),
    find: async (ending: 'committed' | 'rolled back' = 'committed', company = companyId) => {
      const tx = new Transaction(company, {} as never);
      const id = await assistants.findId(tx, 'mefali');
      if (ending === 'committed') tx.runAfterCommit();
      return id;
    },
  };
}

describe('an assistant’s id', () => {
  it('is read once', async () => {
    const { asked, set, find } = start();
    set('one');
    expect([await find(), await find(), asked]).toEqual(['one', 'one', ['mefali']]);
  });

  it('is read again after a rollback', async () => {
    const { set, find } = start();
    set('never stored');
    expect(await find('rolled back')).toBe('never stored');
    set('one');
    expect(await find()).toBe('one');
  });

  it('is read again while there is none', async () => {
    const { set, find } = start();
    expect(await find()).toBeNull();
    set('one');
    expect(await find()).toBe('one');
  });

  it('differs by company', async () => {
    const { set, find } = start();
    const other = newId();
    set('one');
    set('another', other);
    expect([await find(), await find('committed', other)]).toEqual(['one', 'another']);
  });
});
