import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { HEADER_NAME } from '@palabre/openapi';
import { parseJson } from '@palabre/json';

import { isWebAddress } from '../../common/check-input.js';
import { ConfigError } from '../../common/config/environment.js';
import { isServerKey, MAX_SERVER_KEY_CHARACTERS } from './client/mcp-tools.js';
import { DEFAULT_TIMEOUT_SECONDS, MAX_SERVERS, MAX_TIMEOUT_SECONDS } from './mcp-server-input.js';

const MAX_FILE_CHARACTERS = 1_000_000;

export interface InstalledServer {
  key: string;
  timeoutMs: number;
  trustAnnotations: boolean;
  way:
    | { command: string; args: string[]; env: Record<string, string> }
    | { url: string; headers: Record<string, string> };
}

function text(most: number) {
  return z
    .string()
    .min(1, 'a text that is not empty')
    .max(most, `a text of at most ${most} characters`)
    .refine((value) => !/\$\{\w+\}/.test(value), 'the value itself: nothing is put in the place of ${…}')
    .refine((value) => !value.includes('\0'), 'a text without NUL');
}

function line(most: number) {
  return text(most).refine((value) => !/[\r\n]/.test(value), 'a text in one line');
}

const shared = {
  disabled: z.boolean().default(false),
  timeoutSeconds: z.int().min(1).max(MAX_TIMEOUT_SECONDS).default(DEFAULT_TIMEOUT_SECONDS),
  trustAnnotations: z.boolean().default(false),
};

const Child = z.strictObject({
  ...shared,
  type: z.literal('stdio').optional(),
  command: line(1_000),
  args: z.array(text(10_000)).max(100).default([]),
  env: z.record(z.string().regex(/^\w{1,200}$/, 'the name of a variable'), text(10_000)).default({}),
});

const Remote = z.strictObject({
  ...shared,
  type: z.enum(['http', 'streamable-http', 'streamableHttp']).optional(),
  url: line(2_000).refine(isWebAddress, 'an address that begins with http:// or https://'),
  headers: z.record(z.string().regex(HEADER_NAME, 'the name of a header'), line(10_000)).default({}),
});

const Whole = z.object({ mcpServers: z.record(z.string(), z.record(z.string(), z.unknown())) });

/** The servers in the file. Without a file, none. Rejects with ConfigError that names every wrong entry. */
export async function readServersFile(path: string | null): Promise<InstalledServer[]> {
  if (path === null) return [];
  const whole = await readWhole(path);
  const problems: string[] = [];
  const servers = Object.entries(whole).flatMap(([key, given]) => {
    const server = readServer(key, given, (problem) => problems.push(`MCP_SERVERS_FILE: ${problem}`));
    return server ?? [];
  });
  if (Object.keys(whole).length > MAX_SERVERS)
    problems.push(`MCP_SERVERS_FILE must not name more than ${MAX_SERVERS} servers.`);
  if (problems.length > 0) throw new ConfigError(problems);
  return servers;
}

async function readWhole(path: string): Promise<Record<string, Record<string, unknown>>> {
  const content = await readFile(path, 'utf8').catch(() => null);
  if (content === null) throw new ConfigError([`MCP_SERVERS_FILE must be a file that can be read: ${path}.`]);
  const parsed = content.length > MAX_FILE_CHARACTERS ? null : Whole.safeParse(parseJson(content));
  if (parsed?.success) return parsed.data.mcpServers;
  throw new ConfigError([
    'MCP_SERVERS_FILE must be JSON of the form {"mcpServers": {"name": {"command": "…"}}} or {"url": "…"} for each.',
  ]);
}

function readServer(
  key: string,
  given: Record<string, unknown>,
  tell: (problem: string) => void,
): InstalledServer | null {
  const where = `mcpServers.${key.slice(0, 100)}`;
  if (!isServerKey(key)) {
    tell(
      `${where} must be named by at most ${MAX_SERVER_KEY_CHARACTERS} letters and digits with single - or _ between.`,
    );
    return null;
  }
  if ('command' in given === 'url' in given) {
    tell(`${where} must have either a command or a url.`);
    return null;
  }
  const parsed = 'url' in given ? Remote.safeParse(given) : Child.safeParse(given);
  if (!parsed.success) {
    for (const issue of parsed.error.issues)
      tell(`${[where, ...issue.path].join('.')} must be ${wordsOf(issue)}.`);
    return null;
  }
  const { timeoutSeconds, trustAnnotations, disabled } = parsed.data;
  if (disabled) return null;
  return { key, timeoutMs: timeoutSeconds * 1_000, trustAnnotations, way: wayOf(parsed.data) };
}

function wayOf(server: z.output<typeof Child> | z.output<typeof Remote>): InstalledServer['way'] {
  return 'url' in server
    ? { url: server.url, headers: server.headers }
    : { command: server.command, args: server.args, env: server.env };
}

/** Removes values from zod's messages: they may be secrets. */
function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `without ${issue.keys.join(', ')}, which is not known`;
  return issue.message.startsWith('Invalid') || issue.message.startsWith('Too')
    ? 'of another kind'
    : issue.message;
}
