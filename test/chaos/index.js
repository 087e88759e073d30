/**
 * `node test/chaos/index.js [--turns 200] [--replicas 3] [--seed N] [--quick]`: turns under SIGKILLs and SIGTERMs, networks
 * that are cut or fall silent, restarts of PostgreSQL and a model that fails one call in ten; then it is checked that they
 * were answered all the same, and everything else that was promised of them.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

import { startVitest } from 'vitest/node';

const { values } = parseArgs({
  options: {
    turns: { type: 'string' },
    replicas: { type: 'string' },
    seed: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});

function whole(name, fallback) {
  const number = Number(values[name] ?? fallback);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} must be a whole number from 1 on.`);
  return number;
}

const chaos = {
  turns: whole('turns', values.quick ? 50 : 200),
  replicas: whole('replicas', values.quick ? 2 : 3),
  seed: whole('seed', randomInt(1, 2 ** 31)),
  // Only ends a run that hangs.
  limitSeconds: values.quick ? 1_200 : 3_600,
};

const vitest = await startVitest('test', [], { project: 'chaos', watch: false, provide: { chaos } });
await vitest.close();
