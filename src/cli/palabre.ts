import { exitOnSignal } from '../common/exit-on-signal.js';
import { loadEnvFile } from '../config/environment.js';
import { runPalabre } from './palabre-program.js';

exitOnSignal();
loadEnvFile();
process.exitCode = await runPalabre(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
