import { runCommand, runUpload, uploadTerminal } from '@palabre/cli';

import { loadSettings, ownUpload } from './own-access.js';

await runCommand((commandLine, terminal) => {
  loadSettings();
  return runUpload(commandLine, terminal, ownUpload);
}, uploadTerminal());
