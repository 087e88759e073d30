import { loadEnvFile } from '../config/environment.js';
import { runUpload } from './upload/upload-program.js';

loadEnvFile();
process.exitCode = await runUpload(process.argv.slice(2), {
  isTTY: process.stderr.isTTY,
  out: (shown) => process.stdout.write(shown),
  error: (shown) => process.stderr.write(shown),
});
