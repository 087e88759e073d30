import { type AskSettings, runAsk } from './ask-program.js';
import { askTerminal, uploadTerminal } from './process-terminal.js';
import { runCommand } from './run-command.js';
import { remoteAccess } from './server-access.js';
import { exitCodes, type Terminal } from './terminal.js';
import { runUpload, type UploadSettings } from './upload-program.js';

const asking: AskSettings = {
  name: 'palabre ask',
  typed: 'palabre ask',
  access: remoteAccess,
  defaultAssistant: null,
  environment: `  PALABRE_URL    where the server is
  PALABRE_TOKEN  a bearer token, such as an API key`,
};

const uploading: UploadSettings = {
  name: 'palabre upload',
  access: remoteAccess,
  environment: 'PALABRE_URL and PALABRE_TOKEN as for ask.',
};

const HELP = `Usage: palabre ask|upload [options]

Commands of any Palabre server: palabre ask --help and palabre upload --help say more.
`;

/** Runs the command that the command line begins with, and gives the exit code. */
function runNamed([name, ...rest]: readonly string[], terminal: Terminal): number | Promise<number> {
  if (name === 'ask') return runAsk(rest, askTerminal(), asking);
  if (name === 'upload') return runUpload(rest, uploadTerminal(), uploading);
  const isHelp = name === '--help' || name === '-h';
  if (isHelp) terminal.out(HELP);
  else terminal.error(HELP);
  return isHelp ? exitCodes.done : exitCodes.usage;
}

/** The command `palabre`, with this process's command line. */
export function main(): Promise<void> {
  return runCommand(runNamed, uploadTerminal());
}
