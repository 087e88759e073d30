import { text } from 'node:stream/consumers';

import { runAsk } from './ask-program.js';
import { exitCodes } from './terminal.js';

/** The first Ctrl-C asks for the turn to be cancelled, the second leaves at once. */
const interruptSignal = (): AbortSignal => {
  const controller = new AbortController();
  process.on('SIGINT', () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort();
  });
  return controller.signal;
};

// The reader has left (as `head` does). The turn goes on; there is nobody left to show it to.
process.stdout.on('error', () => process.exit());

process.exitCode = await runAsk(process.argv.slice(2), {
  isTTY: process.stdout.isTTY,
  out: (shown) => process.stdout.write(shown),
  error: (shown) => process.stderr.write(shown),
  readInput: () => text(process.stdin),
  interruptSignal,
});
