import { loadSettings, ownUpload } from './own-access.js';
import { uploadTerminal } from './process-terminal.js';
import { runCommand } from './run-command.js';
import { runUpload } from './upload-program.js';

await runCommand((commandLine, terminal) => {
  loadSettings();
  return runUpload(commandLine, terminal, ownUpload);
}, uploadTerminal());
