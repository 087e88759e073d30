import { pino } from 'pino';

/** What is kept while nothing can be written; lines beyond it are dropped. */
const BACKLOG_BYTES = 1_048_576;

const RETRY_MS = 1_000;

/**
 * Where the lines of the log go. Nothing about it may stand in the server's way: a disk that is full or a reader that
 * is slow costs lines, once the backlog is full.
 */
export const standardOutput = () => {
  const destination = pino.destination({
    dest: process.stdout.fd,
    // Otherwise pino writes what is left when the process exits, and tries for ever where there is no room. A pipe is
    // non-blocking since Node has opened it as `process.stdout`, so that none of these writes waits for its reader.
    sync: true,
    maxLength: BACKLOG_BYTES,
    // Trying again is put off, as after any other failure: pino would sleep, and the server with it.
    retryEAGAIN: () => false,
  });
  let retry: NodeJS.Timeout | null = null;
  const writeBacklog = (): void => {
    retry = null;
    // Not `flush`, which leaves a backlog alone.
    destination.write('');
  };
  destination.on('error', ({ code }: NodeJS.ErrnoException) => {
    // Nobody will ever read what goes into a broken pipe.
    if (code !== 'EPIPE') retry ??= setTimeout(writeBacklog, RETRY_MS).unref();
  });
  return destination;
};
