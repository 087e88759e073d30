import { z } from 'zod';

/** The parts of a DATABASE_URL, decoded; empty where it is silent. */
export interface DatabaseAddress {
  host: string;
  port: string;
  user: string;
  database: string;
  options: URLSearchParams;
}

/** Null for what the driver could not read, or would read otherwise than it is meant. */
export const parseDatabaseUrl = (text: string): DatabaseAddress | null => {
  // A user without a host is fine for PostgreSQL, and no address for the web.
  const url = URL.parse(text) ?? URL.parse(text.replace('@/', '@localhost/'));
  // What is left of a password with such characters: its rest would be taken for a part of the name, or left out.
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
};

/** An address of a PostgreSQL that may be absent; null then. */
export const databaseUrl = () =>
  z
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
