import { loadEnvFile } from '../config/environment.js';
import { complain } from './complaint.js';
import { exitCodes, type Terminal } from './terminal.js';

/** Runs a command with this process's command line and the settings of .env, and leaves its exit code. */
export const runCommand = async <T extends Terminal>(
  run: (commandLine: readonly string[], terminal: T) => Promise<number>,
  terminal: T,
): Promise<void> => {
  process.stdout.on('error', outputFailed);
  try {
    loadEnvFile();
    process.exitCode = await run(process.argv.slice(2), terminal);
  } catch (error) {
    process.exitCode = complain(error, terminal);
  }
};

const outputFailed = ({ code, message }: NodeJS.ErrnoException): void => {
  // The reader has left (as `head` does). What is to be done is done all the same.
  if (code === 'EPIPE') return;
  process.stderr.write(`The output cannot be written (${message}).\n`);
  process.exit(exitCodes.failed);
};
