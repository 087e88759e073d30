import { runPalabre } from './palabre-program.js';

process.exitCode = await runPalabre(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
