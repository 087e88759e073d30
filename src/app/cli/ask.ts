import { runAsk } from './ask-program.js';
import { loadSettings, ownAsk } from './own-access.js';
import { askTerminal } from './process-terminal.js';
import { runCommand } from './run-command.js';

await runCommand((commandLine, terminal) => {
  loadSettings();
  return runAsk(commandLine, terminal, ownAsk);
}, askTerminal());
