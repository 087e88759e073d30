import type { LoggerService } from '@nestjs/common';
import { pino } from 'pino';
import type { LevelWithSilent, Logger } from 'pino';
import pretty from 'pino-pretty';
import { errorInWords } from '../errors/error-in-words.js';
import { redactLine } from '../redaction/redaction.js';
import { standardOutput } from './standard-output.js';

export type { Logger } from 'pino';
export type LogLevel = LevelWithSilent;

/** The injection token of the process's log. */
export const LOGGER = Symbol('logger');

export interface LoggerOptions {
  level: LogLevel;
  /** Lines for a person at a terminal; otherwise one JSON object a line. */
  pretty: boolean;
  /** Standard output when left out. */
  destination?: NodeJS.WritableStream;
}

/** The log of the process. No key that looks like a secret and no token inside a text gets through. */
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

const prettyStream = (destination?: NodeJS.WritableStream) =>
  pretty({
    destination: destination ?? 1,
    sync: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname',
    singleLine: true,
    colorize: destination === undefined && process.stdout.isTTY && process.stdout.hasColors(),
  });

const inWords = (value: unknown): unknown => (value instanceof Error ? errorInWords(value) : value);

const errorsInWords = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, inWords(value)]));

/** Fastify logs its request and reply objects whole: these take what is fit to be seen. */
const requestInShort = (request: { method?: string; url?: string; ip?: string }) => ({
  method: request.method,
  url: request.url,
  ip: request.ip,
});

const responseInShort = (reply: { statusCode?: number }) => ({ statusCode: reply.statusCode });

const bootContexts = new Set([
  'NestFactory',
  'NestApplication',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'GraphQLModule',
]);

/** Nest's own messages through our log; what it tells about booting is for debugging. */
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

/** Nest hands the context over last, and before it whatever the caller added: a stack, an error, more values. */
const detailsOf = (rest: unknown[]): Details => {
  const last = rest.at(-1);
  const context = typeof last === 'string' ? last : undefined;
  const found: Details = context === undefined ? {} : { context };
  for (const value of context === undefined ? rest : rest.slice(0, -1)) {
    if (value instanceof Error) found.err = value;
    else if (typeof value === 'string' && /\n\s+at /.test(value)) found.stack = value;
    else if (value !== undefined) (found.details ??= []).push(value);
  }
  return found;
};
