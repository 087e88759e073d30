import { loadEnvFile } from '../config/environment.js';
import { runPalabre } from './palabre-program.js';

loadEnvFile();
process.exitCode = await runPalabre(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
