import type { LoggerService } from '@nestjs/common';
import { pino, type LevelWithSilent, type Logger } from 'pino';
import pretty from 'pino-pretty';

export type { Logger } from 'pino';
export type LogLevel = LevelWithSilent;

/** The injection token of the process's log. */
export const LOGGER = Symbol('logger');

interface LoggerOptions {
  level: LogLevel;
  /** Lines for a person at a terminal; otherwise one JSON object a line. */
  pretty: boolean;
  /** Standard output when left out. */
  destination?: NodeJS.WritableStream;
}

/** The log of the process. It redacts values of keys that look like secrets, and tokens within texts. */
export function createLogger(options: LoggerOptions): Logger {
  return pino(
    {
      level: options.level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: errorsInWords },
      serializers: { err: inWords, req: requestInShort, res: responseInShort },
      hooks: { streamWrite: redactLine },
    },
    options.pretty ? prettyStream(options.destination) : (options.destination ?? standardOutput()),
  );
}

function prettyStream(destination?: NodeJS.WritableStream) {
  return pretty({
    destination: destination ?? 1,
    sync: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname',
    singleLine: true,
    colorize: destination === undefined && process.stdout.isTTY && process.stdout.hasColors(),
  });
}

function inWords(value: unknown): unknown {
  return value instanceof Error ? errorInWords(value) : value;
}

function errorsInWords(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, inWords(value)]));
}

/** Fastify logs its whole request and reply objects. These pick what may be logged. */
function requestInShort(request: { method?: string; url?: string; ip?: string }) {
  return {
    method: request.method,
    url: request.url,
    ip: request.ip,
  };
}

function responseInShort(reply: { statusCode?: number }) {
  return { statusCode: reply.statusCode };
}

const bootContexts = new Set([
  'NestFactory',
  'NestApplication',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'GraphQLModule',
]);

/** Writes Nest's messages to our log. Those about booting get the level debug. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    const { context } = detailsOf(rest);
    this.write(context !== undefined && bootContexts.has(context) ? 'debug' : 'info', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  private write(level: pino.Level, message: unknown, rest: unknown[]): void {
    const details = detailsOf(rest);
    if (message instanceof Error) this.logger[level]({ ...details, err: message }, message.message);
    else if (typeof message === 'string') this.logger[level](details, message);
    else this.logger[level]({ ...details, message });
  }
}

type Details = { context?: string; stack?: string; err?: Error; details?: unknown[] };

/** Nest passes the context last, and before it what the caller added: a stack, an error, more values. */
function detailsOf(rest: unknown[]): Details {
  const last = rest.at(-1);
  const context = typeof last === 'string' ? last : undefined;
  const found: Details = context === undefined ? {} : { context };
  for (const value of context === undefined ? rest : rest.slice(0, -1)) {
    if (value instanceof Error) found.err = value;
    else if (typeof value === 'string' && /\n\s+at /.test(value)) found.stack = value;
    else if (value !== undefined) (found.details ??= []).push(value);
  }
  return found;
}

/** How much is buffered while nothing can be written. Further lines are dropped. */
const BACKLOG_BYTES = 1_048_576;

const RETRY_MS = 1_000;

/** Never blocks the server: when a full disk or a slow reader fills the backlog, lines are dropped. */
function standardOutput() {
  const destination = pino.destination({
    dest: process.stdout.fd,
    // Otherwise pino writes the rest when the process exits, and retries for ever on a full disk. Writes to a pipe do not
    // block: Node has made it non-blocking by opening it as `process.stdout`.
    sync: true,
    maxLength: BACKLOG_BYTES,
    // We retry later, as after any other error. pino would sleep and block the server.
    retryEAGAIN: () => false,
  });
  let retry: NodeJS.Timeout | null = null;
  const writeBacklog = (): void => {
    retry = null;
    // Not `flush`, which does not write the backlog.
    destination.write('');
  };
  destination.on('error', ({ code }: NodeJS.ErrnoException) => {
    // A broken pipe will never be read again.
    if (code !== 'EPIPE') retry ??= setTimeout(writeBacklog, RETRY_MS).unref();
  });
  return destination;
}

const MAX_CAUSE_DEPTH = 8;

interface ErrorInWords {
  type: string;
  message: string;
  code?: unknown;
  detail?: unknown;
  stack?: string | undefined;
  errors?: unknown[];
  cause?: unknown;
}

/**
 * What may be logged of an error, and nothing else: drivers attach statements, parameters and headers to theirs. What one
 * quotes of another system, without its secrets, it offers the log as `logDetail`.
 */
function errorInWords(error: Error, depth = 0): ErrorInWords {
  const further = (other: unknown): unknown =>
    other instanceof Error && depth < MAX_CAUSE_DEPTH ? errorInWords(other, depth + 1) : String(other);
  return {
    type: error.constructor.name,
    message: error.message,
    ...('code' in error && { code: error.code }),
    ...('logDetail' in error && error.logDetail !== undefined && { detail: error.logDetail }),
    stack: error.stack,
    ...(error instanceof AggregateError && { errors: error.errors.map(further) }),
    ...(error.cause !== undefined && { cause: further(error.cause) }),
  };
}

export const redacted = '[redacted]';

// Counts such as inputTokens must stay readable, so `token` makes a secret only as the last word.
const secretWord =
  'authorization|cookie|password|passphrase|secret|credential|api[-_]?key|private[-_]?key|jwt$|token$';
const secretKey = new RegExp(secretWord, 'i');
// The lengths here and below are bounded, so that a user's long text cannot make matching quadratic.
const secretKeyInLine = new RegExp(`"[^"]{0,60}(?:${secretWord.replaceAll('$', '')})[^"]{0,60}":`, 'i');

/** Redacts secrets by their keys, and within texts. It works on the finished line, so that nothing can bypass it. */
export function redactLine(line: string): string {
  return redactText(redactKeys(line));
}

function redactKeys(line: string): string {
  return secretKeyInLine.test(line)
    ? `${JSON.stringify(JSON.parse(line), (key, value: unknown) => (isSecret(key, value) ? redacted : value))}\n`
    : line;
}

function isSecret(key: string, value: unknown): boolean {
  return value !== null && value !== '' && secretKey.test(key);
}

function redactText(text: string): string {
  return text
    .replace(/\b(Bearer)\s{1,8}[\w.~+/=-]{10,}/gi, `$1 ${redacted}`)
    .replace(/\beyJ[\w-]{5,512}\.[\w-]+\.[\w-]*/g, redacted)
    .replace(/([?&](?:access_|id_)?(?:token|api_?key|secret|signature)=)[^&\s"\\]+/gi, `$1${redacted}`)
    .replace(/(\b[a-z][\w+.-]{1,20}:\/\/[^\s:/@"\\]{0,256}:)[^\s/@"\\]{1,1024}@/gi, `$1${redacted}@`)
    .replace(/\b(?:sk-|plb_)[\w-]{8,}/g, redacted);
}
