import { openDatabase } from '../../platform/database/open-database.js';
import { schemaDrift } from '../../platform/database/migrate.js';
import { entities } from '../entities.js';

/**
 * `npm run migrations:check` migrates an empty database in memory and prints the remaining differences to the
 * entities. There must be none. If there are, they are a first draft of the next migration.
 */
const { database, close } = await openDatabase(
  { database: { url: null, poolSize: 1 }, dataDir: null },
  entities,
);
const drift = await schemaDrift(database.dataSource);
await close();
if (drift.length > 0) {
  process.stderr.write(`The entities are ahead of the migrations:\n\n${drift.join(';\n')};\n`);
  process.exitCode = 1;
} else {
  process.stdout.write('The migrations make what the entities say.\n');
}
