/**
 * `npm run test:attack [-- --quick] [--only WORD[,WORD…]] [--seconds 10] [--profiles FOLDER]`: attacks on a server, one
 * after the other, while somebody of another company goes on using it. Nothing of theirs may be lost, and the process has
 * to live; how long they wait is measured, and told in a table. All take three quarters of an hour. `--quick` carries out
 * two of each kind, for a second each.
 */
import { parseArgs } from 'node:util';

import { startVitest } from 'vitest/node';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    seconds: { type: 'string' },
    profiles: { type: 'string' },
  },
});

// The embedded database belongs to one process, and this one makes companies beside the server.
if (!process.env.TEST_DATABASE_URL) throw new Error('TEST_DATABASE_URL must name a PostgreSQL server.');

const seconds = Number(values.seconds ?? (values.quick ? 1 : 10));
if (!(seconds > 0 && seconds <= 60)) throw new Error('--seconds must be a number up to 60.');

const attack = {
  isQuick: values.quick,
  only: values.only.split(','),
  seconds,
  profiles: values.profiles ?? null,
};
const vitest = await startVitest('test', [], { project: 'attack', watch: false, provide: { attack } });
await vitest.close();
