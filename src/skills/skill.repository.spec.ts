import { newId } from '../common/ids.js';
import { Transaction } from '../platform/database/transaction.js';
import { SkillRow } from './skill.entity.js';
import { SkillRepository } from './skill.repository.js';

/** Rows as one transaction sees them, of which `held` were there when they were to be held. */
function seeing({ held, row }: { held: number; row: SkillRow | null }): Transaction {
  return new Transaction(newId(), {
    query: async (sql) => ({
      rows: sql.includes('FOR UPDATE') ? Array.from({ length: held }, () => ({})) : [row],
      rowCount: null,
    }),
    one: async () => row as unknown as Record<string, unknown>,
    makeRunner: () => {
      throw new Error('Nothing is to be asked by way of a runner.');
    },
    metadataOf: () =>
      ({
        tableName: 'skill',
        columns: [],
        findColumnWithPropertyName: (name: string) => ({ databaseName: name }),
      }) as never,
  });
}

describe('a skill that is to be held', () => {
  const row = Object.assign(new SkillRow(), { key: 'look' });

  it('is the row once it is held', async () => {
    expect(await new SkillRepository().lock(seeing({ held: 1, row }), 'look')).toBe(row);
  });

  it('is none that came to be since: nobody holds that', async () => {
    expect(await new SkillRepository().lock(seeing({ held: 0, row }), 'look')).toBeNull();
  });
});
