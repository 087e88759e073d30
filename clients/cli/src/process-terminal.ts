import { text } from 'node:stream/consumers';

import { askPerson } from './ask-person.js';
import type { AskTerminal } from './ask-program.js';
import { exitCodes } from './terminal.js';
import type { UploadTerminal } from './upload-program.js';

const SAME_SIGNAL_MS = 500;

/** The first Ctrl-C asks for the turn to be cancelled, the second leaves at once. */
function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  let interruptedAt = 0;
  process.on('SIGINT', () => {
    if (!controller.signal.aborted) {
      interruptedAt = performance.now();
      controller.abort();
    } else if (performance.now() - interruptedAt > SAME_SIGNAL_MS) {
      // Not sooner: some script runners pass on a signal that the terminal has sent to every process already.
      process.exit(exitCodes.interrupted);
    }
  });
  return controller.signal;
}

/** This process's, for asking. */
export function askTerminal(): AskTerminal {
  // The reader has closed the pipe (as `head` does). The turn goes on without output.
  process.stdout.on('error', () => process.exit());
  return {
    isTTY: process.stdout.isTTY,
    out: (shown) => process.stdout.write(shown),
    error: (shown) => process.stderr.write(shown),
    readInput: () => text(process.stdin),
    interruptSignal,
    ...(process.stdin.isTTY && { ask: askPerson }),
  };
}

/** This process's, for sending documents. */
export function uploadTerminal(): UploadTerminal {
  return {
    isTTY: process.stderr.isTTY,
    out: (shown) => process.stdout.write(shown),
    error: (shown) => process.stderr.write(shown),
  };
}
