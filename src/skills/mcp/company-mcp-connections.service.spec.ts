import { Calendar } from '../../common/calendar.js';
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
import { descriptionIn } from '../skill-names.js';
import type { SkillDefinition, SkillRepository } from '../skill.repository.js';

const server = { companyId: 'c', id: 's', url: 'https://a.example/mcp', failure: null } as McpServer;

/** Connections to an unavailable server. `isThere`: the database's answer when storing the failure. */
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
    new Calendar('UTC'),
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

it('a tool says in the language of the reader why it cannot be used', async () => {
  const { connections } = connectionsWhere(true);
  const settings = { serverId: '0191d3c4-0000-7000-8000-000000000001', tool: 'read', outputSchema: null };
  const updatedAt = new Date('2026-03-04T12:00:00Z');
  const reasonOf = (gone?: true) => {
    const definition = { name: 'Read', description: 'Reads.', timeoutMs: 1000, idempotent: true, updatedAt };
    const made = { ...definition, settings: { ...settings, ...(gone && { gone }) } };
    return connections.make('files__read', made as unknown as SkillDefinition).unavailableReason!('fr');
  };
  expect(reasonOf()).toBeNull();
  const away = { ...server, id: settings.serverId };
  await expect(connections.of(away).list()).rejects.toThrow('Gone.');
  expect(reasonOf()).toBe('Son serveur est inutilisable en ce moment. Gone.');
  expect(reasonOf(true)).toMatch(/^Son serveur ne l’annonce plus depuis le 2026-03-04/);
});

it('a tool has its server’s description, and in the language of the reader that it is the server’s', () => {
  const { connections } = connectionsWhere(true);
  const settings = { serverId: '0191d3c4-0000-7000-8000-000000000001', tool: 'read', outputSchema: null };
  const definition = { name: 'Read', description: 'Reads.', timeoutMs: 1000, idempotent: true, settings };
  const skill = connections.make('files__read', definition as unknown as SkillDefinition);
  const said = ['fr', 'zh-TW', 'de'].map((language) =>
    descriptionIn({ ...skill, kind: 'MCP', skill }, language),
  );
  expect(said).toEqual([
    'Selon son serveur : Reads.',
    '伺服器的說明：Reads.',
    'In its server’s words: Reads.',
  ]);
});
