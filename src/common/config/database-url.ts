import { z } from 'zod';

/** The decoded parts of a DATABASE_URL. Missing parts are empty. */
interface DatabaseAddress {
  host: string;
  port: string;
  user: string;
  database: string;
  options: URLSearchParams;
}

/** Null for a URL that the driver cannot parse, or would misunderstand. */
export function parseDatabaseUrl(text: string): DatabaseAddress | null {
  // A user without a host is valid for PostgreSQL, but not as a web URL.
  const url = URL.parse(text) ?? URL.parse(text.replace('@/', '@localhost/'));
  // Signs of an unescaped # or @ in the password: the rest of it would be taken for the database name, or dropped.
  if (url === null || url.hash !== '' || url.pathname.includes('@')) return null;
  try {
    decodeURIComponent(url.password);
    return {
      host: url.hostname,
      port: url.port,
      user: decodeURIComponent(url.username),
      database: decodeURIComponent(url.pathname.slice(1)),
      options: url.searchParams,
    };
  } catch {
    return null;
  }
}

/** The URL of a PostgreSQL; null when absent. */
export function databaseUrl() {
  return z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, {
      error: 'an address that begins with postgres:// or postgresql://',
      abort: true,
    })
    .refine(
      (text) => parseDatabaseUrl(text) !== null,
      'an address that can be read: characters such as / # % @ in a password are percent-encoded, and a port is at most 65535',
    )
    .optional()
    .transform((value) => value ?? null);
}
