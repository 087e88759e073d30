/** The public interface. Nothing else of the package may be imported. */
export { askPerson } from './ask-person.js';
export { type AskSettings, runAsk } from './ask-program.js';
export { askTerminal, uploadTerminal } from './process-terminal.js';
export { runCommand } from './run-command.js';
export { type GivenServer, type ServerAccess, UsageError } from './server-access.js';
export { exitCodes, type Terminal, usageExitCode, useTerminal, wordsOf } from './terminal.js';
export { runUpload, type UploadSettings } from './upload-program.js';
