import { askTerminal, runAsk, runCommand } from '@palabre/cli';

import { loadSettings, ownAsk } from './own-access.js';

await runCommand((commandLine, terminal) => {
  loadSettings();
  return runAsk(commandLine, terminal, ownAsk);
}, askTerminal());
