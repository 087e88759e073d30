import { pendingMigrations } from '../../src/platform/database/migrate.js';
import { openDatabase, type OpenDatabase } from '../../src/platform/database/open-database.js';
import { UnusableDatabase } from '../../src/platform/database/unusable-database.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ isLasting: true });
});
afterAll(() => testDatabase[Symbol.asyncDispose]());

function open(): Promise<OpenDatabase> {
  return openDatabase(testDatabase.location, []);
}

it('is not opened by a version that does not know all its migrations; a process that has it open goes on', async () => {
  const opened = await open();
  const { dataSource } = opened.database;
  await dataSource.query(
    `INSERT INTO migration (timestamp, name) VALUES (4102444800000, 'Tomorrow4102444800000')`,
  );
  expect(await pendingMigrations(dataSource)).toBe(false);
  await opened.close();
  const refused = open();
  await expect(refused).rejects.toBeInstanceOf(UnusableDatabase);
  await expect(refused).rejects.toThrow(/newer version.*Tomorrow4102444800000/);
});
