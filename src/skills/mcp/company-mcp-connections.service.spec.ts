import type { Calendar } from '../../common/calendar.js';
import { createLogger } from '../../common/process/logger.js';
import { ManualClock } from '../../common/manual-clock.double.js';
import type { Database } from '../../platform/database/database.js';
import type { SkillContext } from '../skill.js';
import type { McpToolCall } from './client/mcp-connection.js';
import { unreachable } from './client/mcp-failure.js';
import { serverEcho } from '../http/secret-echo.js';
import { CompanyMcpConnections } from './company-mcp-connections.service.js';
import type { CompanyServerLinks } from './company-server-links.js';
import type { McpServer, McpServerRepository } from './mcp-server.repository.js';
import type { McpToolStore } from './mcp-tool-store.service.js';
import { SkillMakers } from '../skill-sources.service.js';
import type { SkillRepository } from '../skill.repository.js';

const server = { companyId: 'c', id: 's', url: 'https://a.example/mcp', failure: null } as McpServer;

/** Connections to a server that is away; `isThere`: what the database says when the failure is to be kept. */
function connectionsWhere(isThere: boolean) {
  const kept = Promise.withResolvers<void>();
  const open = (): never => {
    throw unreachable('Gone.');
  };
  const keepFailure = (): Promise<boolean> => {
    kept.resolve();
    return Promise.resolve(isThere);
  };
  const connections = new CompanyMcpConnections(
    { read: () => Promise.resolve(null) } as unknown as Database,
    {} as McpServerRepository,
    { keepFailure } as unknown as McpToolStore,
    {
      of: () => ({ key: 'a', echo: serverEcho([]), held: new Map(), open }),
    } as unknown as CompanyServerLinks,
    new ManualClock(),
    createLogger({ level: 'silent', pretty: false }),
    {} as Calendar,
    new SkillMakers({} as SkillRepository),
  );
  return { connections, kept: kept.promise };
}

it.each([
  ['is closed when the server is not what it was', false],
  ['is kept while the server is', true],
])('a connection %s', async (_, isThere) => {
  const { connections, kept } = connectionsWhere(isThere);
  const connection = connections.of(server);
  await expect(connection.list()).rejects.toThrow('Gone.');
  await kept;
  await Promise.resolve();
  expect(connections.failureOf(server.id)).toBe(isThere ? 'Gone.' : null);
  expect(connections.of(server) === connection).toBe(isThere);
  await connections.onApplicationShutdown();
});

it('a connection is closed when the server is gone, also when another process removed it', async () => {
  const { connections } = connectionsWhere(true);
  const connection = connections.of(server);
  const call = connections.call(server.id, {} as McpToolCall, {}, { companyId: 'c' } as SkillContext);
  await expect(call).rejects.toThrow('was removed');
  await expect(connection.open()).rejects.toMatchObject({ kind: 'CLOSED' });
});
