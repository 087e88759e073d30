import { z } from 'zod';
import { HEADER_NAME } from '@palabre/openapi';
import { OutboundError, readUrl } from '@palabre/outbound';

import { isServerKey, MAX_SERVER_KEY_CHARACTERS } from './client/mcp-tools.js';

/** For each company, and for the operator's file. */
export const MAX_SERVERS = 50;
export const MAX_HEADERS = 20;
export const DEFAULT_TIMEOUT_SECONDS = 60;
export const MAX_TIMEOUT_SECONDS = 600;
const timeouts = `This must be from 1 to ${MAX_TIMEOUT_SECONDS}.`;

/** Set by the connection, or by the protocol. */
const reservedHeaders =
  /^(host|connection|content-length|content-type|transfer-encoding|accept|te|upgrade|last-event-id|mcp-.*)$/i;

const Header = z.object({
  name: z
    .string()
    .regex(HEADER_NAME, 'This is not the name of a header.')
    .refine((name) => !reservedHeaders.test(name), 'This header is set by the connection itself.'),
  value: z
    .string()
    .min(1, 'This must not be empty.')
    .max(8_000, 'This must be at most 8000 characters long.')
    .regex(/^[\t\x20-\x7e]*$/, 'This must be plain ASCII in one line.'),
});

function areUnique(headers: readonly { name: string }[]): boolean {
  return new Set(headers.map(({ name }) => name.toLowerCase())).size === headers.length;
}

export const McpServerInput = z.object({
  key: z
    .string()
    .refine(
      isServerKey,
      `This must be at most ${MAX_SERVER_KEY_CHARACTERS} letters and digits, with single - or _ between them.`,
    ),
  url: z.string().trim().max(2_000, 'This must be at most 2000 characters long.').superRefine(checkUrl),
  headers: z
    .array(Header)
    .max(MAX_HEADERS, `These must be at most ${MAX_HEADERS}.`)
    .refine(areUnique, 'Each header can be there once.')
    .nullish()
    .transform((headers) => headers ?? []),
  timeoutSeconds: z
    .int()
    .min(1, timeouts)
    .max(MAX_TIMEOUT_SECONDS, timeouts)
    .nullish()
    .transform((seconds) => seconds ?? DEFAULT_TIMEOUT_SECONDS),
  trustAnnotations: z
    .boolean()
    .nullish()
    .transform((trust) => trust ?? false),
});

export type McpServerInput = z.output<typeof McpServerInput>;

function checkUrl(text: string, context: z.core.$RefinementCtx<string>): void {
  try {
    readUrl(text);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    context.addIssue({ code: 'custom', message: error.message, input: text });
  }
}
