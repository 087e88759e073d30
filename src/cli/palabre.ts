import { createInterface } from 'node:readline/promises';

import { exitOnSignal } from '../common/process/exit-on-signal.js';
import { runPalabre } from './palabre-program.js';
import { runCommand } from './run-command.js';

exitOnSignal();
await runCommand(runPalabre, {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  ask,
});

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    process.stderr.write(question);
    // A line, or the end of the input.
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
  }
}
