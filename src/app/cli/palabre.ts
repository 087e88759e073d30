import { askPerson, runCommand } from '@palabre/cli';

import { exitOnSignal } from '../../common/process/exit-on-signal.js';
import { loadSettings } from './own-access.js';
import { runPalabre } from './palabre-program.js';

exitOnSignal();
await runCommand(
  (commandLine, terminal) => {
    loadSettings();
    return runPalabre(commandLine, terminal);
  },
  {
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
    ask: askPerson,
  },
);
