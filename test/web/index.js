/**
 * `node test/web/index.js [--quick]`: the console in Chromium, against the built files and the real server. `--quick`
 * tries the chat, the screens of admins and the sizes alone, as `.ci/run` does.
 */
import { parseArgs } from 'node:util';

import { startVitest } from 'vitest/node';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });

/** The chat, the screens of admins with the switch of skills, and sizes. */
const QUICK = ['chat', 'administration', 'size'];

const files = values.quick ? QUICK.map((name) => `test/web/${name}.e2e-spec.ts`) : [];
const vitest = await startVitest('test', files, {
  project: 'web',
  watch: false,
  provide: { webCrashes: 20 },
});
await vitest.close();
