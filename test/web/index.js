/**
 * `node test/web/index.js [--quick]`: the console in Chromium, against the built files and the real server. `--quick`
 * leaves out what takes long: those screens that `.ci/run` does not try, and most of the crashes.
 */
import { parseArgs } from 'node:util';

import { startVitest } from 'vitest/node';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });

/** The chat, the switch of skills, and what must never happen. */
const QUICK = ['chat', 'skills', 'hostile-text', 'crash', 'size'];

const files = values.quick ? QUICK.map((name) => `test/web/${name}.e2e-spec.ts`) : [];
const vitest = await startVitest('test', files, {
  project: 'web',
  watch: false,
  provide: { webCrashes: values.quick ? 2 : 20 },
});
await vitest.close();
