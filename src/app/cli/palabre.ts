import { askPerson } from './ask-person.js';
import { exitOnSignal } from '../../common/process/exit-on-signal.js';
import { runPalabre } from './palabre-program.js';
import { runCommand } from './run-command.js';

exitOnSignal();
await runCommand(runPalabre, {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  ask: askPerson,
});
