import { z } from 'zod';

import { readUrl } from '../../outbound/hop.js';
import { OutboundError } from '../../outbound/outbound-http.js';
import { HEADER_NAME } from '../http/header-name.js';
import { isServerKey, MAX_SERVER_KEY_CHARACTERS } from './client/mcp-tools.js';

const MOST_HEADERS = 20;
const USUAL_TIMEOUT_SECONDS = 60;

/** Set by the connection, or by the protocol. */
const notTheirs =
  /^(host|connection|content-length|content-type|transfer-encoding|accept|te|upgrade|last-event-id|mcp-.*)$/i;

const Header = z.object({
  name: z
    .string()
    .regex(HEADER_NAME, 'This is not the name of a header.')
    .refine((name) => !notTheirs.test(name), 'This header is set by the connection itself.'),
  value: z
    .string()
    .min(1, 'This must not be empty.')
    .max(8_000, 'This must be at most 8000 characters long.')
    .regex(/^[\t\x20-\x7e]*$/, 'This must be plain ASCII in one line.'),
});

const hasEachOnce = (headers: readonly { name: string }[]): boolean =>
  new Set(headers.map(({ name }) => name.toLowerCase())).size === headers.length;

/** What an admin registers. */
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
    .max(MOST_HEADERS, `These must be at most ${MOST_HEADERS}.`)
    .refine(hasEachOnce, 'Each header can be there once.')
    .nullish()
    .transform((headers) => headers ?? []),
  timeoutSeconds: z
    .int()
    .min(1, 'This must be from 1 to 600.')
    .max(600, 'This must be from 1 to 600.')
    .nullish()
    .transform((seconds) => seconds ?? USUAL_TIMEOUT_SECONDS),
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
