import { runCommand } from './run-command.js';
import { runUpload } from './upload-program.js';

await runCommand(runUpload, {
  isTTY: process.stderr.isTTY,
  out: (shown) => process.stdout.write(shown),
  error: (shown) => process.stderr.write(shown),
});
