import { composeServices } from '@theguild/federation-composition';
import { parse } from 'graphql';

import { newId } from '../../src/common/ids.js';
import { Database } from '../../src/platform/database/database.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

let app: TestApp;
let ada: TestClient;
beforeAll(async () => {
  app = await startApp([], { FEDERATION: 'on' });

  ada = await app.client();
});
afterAll(() => app[Symbol.asyncDispose]());

const ENTITIES = `query Entities($representations: [_Any!]!) {
  _entities(representations: $representations) { __typename ... on Company { id name } ... on Assistant { key } }
}`;

/** A subgraph of the company's own, whose tickets refer to turns. */
const TICKETS = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.4", import: ["@key"])
  type Query { tickets: [Ticket!]! }
  type Ticket @key(fields: "number") { number: Int!  turn: Turn }
  type Turn @key(fields: "id", resolvable: false) { id: ID! }`;

async function sdlOf(client: TestClient): Promise<string> {
  const { _service } = await client.get<{ _service: { sdl: string } }>('{ _service { sdl } }');
  return _service.sdl;
}

it('composes with a subgraph that refers to a Node', async () => {
  const services = [
    { name: 'palabre', url: 'http://localhost/graphql', typeDefs: parse(await sdlOf(ada)) },
    { name: 'tickets', url: 'http://localhost/tickets', typeDefs: parse(TICKETS) },
  ];
  const { errors = [], supergraphSdl = '' } = composeServices(services);
  expect(errors.map(({ message }) => message)).toEqual([]);
  const supergraph = parse(supergraphSdl);
  const turn = supergraph.definitions.find(
    (definition) => 'name' in definition && definition.name?.value === 'Turn',
  );
  expect(turn?.kind).toBe('ObjectTypeDefinition');
  expect(supergraphSdl).toContain('tickets: [Ticket!]!');
});

it('tags what is for admins, so that a contract can leave it out', async () => {
  const sdl = await sdlOf(ada);
  expect(sdl).toMatch(/createApiKey\([^)]*\): \w+!? @tag\(name: "admin"\)/u);
  expect(sdl).not.toMatch(/startTurn\([^)]*\): \w+!? @tag/u);
});

it('finds Nodes by id, and none of another type or company', async () => {
  const { company } = await ada.get<{ company: { id: string } }>('{ company { id } }');
  const stranger = await app.client({ company: await app.company() });
  const representations = [
    { __typename: 'Company', id: company.id },
    { __typename: 'Assistant', id: company.id },
    { __typename: 'Company' },
    'Company',
  ];
  const own = await ada.get<{ _entities: unknown[] }>(ENTITIES, { representations });
  expect(own._entities).toEqual([
    { __typename: 'Company', id: company.id, name: expect.any(String) as string },
    null,
    null,
    null,
  ]);
  const foreign = await stranger.get<{ _entities: unknown[] }>(ENTITIES, { representations });
  expect(foreign._entities).toEqual([null, null, null, null]);
});

it('looks for a Node where its type has it, and for a few at a time', async () => {
  const read = Reflect.get(Database.prototype, 'read');
  const underWay = { now: 0, most: 0 };
  const reads = vi.spyOn(Database.prototype, 'read').mockImplementation(async function (
    this: Database,
    ...asked
  ) {
    underWay.now += 1;
    underWay.most = Math.max(underWay.most, underWay.now);
    return read.apply(this, asked).finally(() => (underWay.now -= 1));
  });
  const representations = Array.from({ length: 50 }, () => ({ __typename: 'Turn', id: newId() }));
  expect(await ada.get(ENTITIES, { representations })).toEqual({
    _entities: representations.map(() => null),
  });
  expect(reads.mock.calls).toHaveLength(50);
  expect(underWay.most).toBeLessThan(10);
  reads.mockRestore();
});

it('asks who is asking, and for no more than a page', async () => {
  const nobody = app.clientWith(null);
  expect(await nobody.codes('{ _service { sdl } }')).toEqual(['UNAUTHENTICATED']);
  const representations = Array.from({ length: 101 }, () => ({ __typename: 'Company', id: 'x' }));
  expect(await ada.codes(ENTITIES, { representations })).toEqual(['BAD_USER_INPUT']);
  const fields = Array.from(
    { length: 30 },
    (_, index) => `a${index}: _entities(representations: $all) { __typename }`,
  );
  const many = `query ($all: [_Any!]!) { ${fields.join(' ')} }`;
  expect(await ada.codes(many, { all: representations.slice(1) })).toEqual(['BAD_USER_INPUT']);
  expect(await ada.codes(ENTITIES, { representations: representations.slice(1) })).toEqual([]);
});
