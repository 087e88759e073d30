/**
 * `npm run chaos -- [--turns 200] [--replicas 3] [--seed N] [--quick]`: turns under SIGKILLs, cut networks, restarts of
 * PostgreSQL and a model that fails one call in ten; then everything that was promised of them is checked.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

import { run } from 'jest';

const { values } = parseArgs({
  options: {
    turns: { type: 'string' },
    replicas: { type: 'string' },
    seed: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});

const whole = (name, fallback) => {
  const number = Number(values[name] ?? fallback);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} must be a whole number from 1 on.`);
  return number;
};

const CHAOS = {
  turns: whole('turns', values.quick ? 50 : 200),
  replicas: whole('replicas', values.quick ? 2 : 3),
  seed: whole('seed', randomInt(1, 2 ** 31)),
  // Some time after the last trouble at the latest, all has to be over.
  troubleSeconds: values.quick ? 30 : 600,
  limitSeconds: values.quick ? 150 : 900,
};

await run(['--config', 'test/chaos/jest.config.js', '--runInBand', '--globals', JSON.stringify({ CHAOS })]);
