/**
 * `node test/web/index.js [--quick] [--kills 20] [FILE…]`: the console in Chromium, against the built files and the real
 * server. `--quick` tries the chat, the screens of admins and the sizes alone, as `.ci/run` does; `--kills` says how often
 * the server is killed in mid-answer; files are named without their ending: `crash --kills 100`.
 */
import { parseArgs } from 'node:util';

import { startVitest } from 'vitest/node';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, kills: { type: 'string', default: '20' } },
});

/** The chat, the screens of admins with the switch of skills, and sizes. */
const QUICK = ['chat', 'administration', 'size'];

const names = values.quick ? QUICK : positionals;
const files = names.map((name) => `test/web/${name}.e2e-spec.ts`);
const vitest = await startVitest('test', files, {
  project: 'web',
  watch: false,
  provide: { webCrashes: Number(values.kills) },
});
await vitest.close();
