import { describe, expect, it } from '@jest/globals';

import { newId } from '../common/ids.js';
import type { AuditService } from '../companies/audit/audit.service.js';
import type { Database } from '../database/database.js';
import { Transaction } from '../database/transaction.js';
import { AssistantHooks } from './assistant-hooks.js';
import type { AssistantRepository } from './assistant.repository.js';
import { AssistantsService } from './assistants.service.js';
import type { PromptVersionRepository } from './prompts/prompt-version.repository.js';

/** The service on a table in memory; `asked` are the keys that were looked up there. */
const start = () => {
  const ids = new Map<string, string>();
  const asked: string[] = [];
  const repository = {
    addMissing: async () => undefined,
    findByKey: async ({ companyId }: Transaction, key: string) => {
      asked.push(key);
      const id = ids.get(companyId + key);
      return id === undefined ? null : { id };
    },
  } as unknown as AssistantRepository;
  const assistants = new AssistantsService(
    {} as Database,
    repository,
    {} as PromptVersionRepository,
    {} as AuditService,
    new AssistantHooks(),
  );
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
};

describe('an assistant’s id', () => {
  it('is asked for once', async () => {
    const { asked, set, find } = start();
    set('one');
    expect([await find(), await find(), asked]).toEqual(['one', 'one', ['mefali']]);
  });

  it('is asked for again when the transaction that may have given it was rolled back', async () => {
    const { set, find } = start();
    set('never stored');
    expect(await find('rolled back')).toBe('never stored');
    set('one');
    expect(await find()).toBe('one');
  });

  it('is asked for again while there is none', async () => {
    const { set, find } = start();
    expect(await find()).toBeNull();
    set('one');
    expect(await find()).toBe('one');
  });

  it('is the company’s own', async () => {
    const { set, find } = start();
    const other = newId();
    set('one');
    set('another', other);
    expect([await find(), await find('committed', other)]).toEqual(['one', 'another']);
  });
});
