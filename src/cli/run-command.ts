import { loadEnvFile } from '../config/environment.js';
import { complain } from './complaint.js';
import type { Terminal } from './terminal.js';

/** Runs a command with this process's command line and the settings of .env, and leaves its exit code. */
export const runCommand = async <T extends Terminal>(
  run: (commandLine: readonly string[], terminal: T) => Promise<number>,
  terminal: T,
): Promise<void> => {
  try {
    loadEnvFile();
    process.exitCode = await run(process.argv.slice(2), terminal);
  } catch (error) {
    process.exitCode = complain(error, terminal);
  }
};
