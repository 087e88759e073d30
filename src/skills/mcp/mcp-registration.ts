import type { McpServer } from './mcp-server.entity.js';

/** What a connection is made for: another one means another connection. */
export const registrationOf = ({ url, secrets, timeoutMs }: McpServer): string =>
  JSON.stringify([url, secrets, timeoutMs]);
