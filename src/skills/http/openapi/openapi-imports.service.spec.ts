import { once } from 'node:events';
import { UndiciOutboundHttp } from '@palabre/outbound';
import { LocalSite } from '@palabre/outbound/local-site.double.js';
import { BadDocument, type SecretPlace } from '@palabre/openapi';

import type { Viewer } from '../../../companies/auth/viewer.js';
import type { SkillsService } from '../../skills.service.js';
import type { HttpSkills } from '../http-skills.service.js';
import type { CheckedHttpSkill } from '../http-skill-input.js';
import { fetchDocument, type OpenApiPreview, OpenApiImports } from './openapi-imports.service.js';

let site: LocalSite;
let outbound: UndiciOutboundHttp;

beforeAll(async () => {
  site = await LocalSite.start((_, response) => void response.end());
  outbound = new UndiciOutboundHttp({ allow: [site.host] });
});
afterAll(async () => {
  await outbound.close();
  await site[Symbol.asyncDispose]();
});

const DOCUMENT = JSON.stringify({
  openapi: '3.1.0',
  servers: [{ url: '/api' }],
  paths: { '/a': { get: { operationId: 'getA' } } },
});

describe('a document that is fetched', () => {
  it('is refused in words for people when it does not come in time', async () => {
    const closed = Promise.withResolvers<unknown>();
    site.handler = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write(' ');
      closed.resolve(once(response, 'close'));
    };
    const fetching = fetchDocument(outbound, 'a', site.url, 100);
    await expect(fetching).rejects.toThrow(BadDocument);
    await expect(fetching).rejects.toThrow('did not answer in time');
    await closed.promise;
  });

  it('is refused by its status, and with the way to open its address', async () => {
    site.handler = (_, response) => void response.writeHead(404).end(DOCUMENT);
    await expect(fetchDocument(outbound, 'a', site.url)).rejects.toThrow('status 404');
    const closed = new UndiciOutboundHttp({ allow: [] });
    await expect(fetchDocument(closed, 'a', site.url)).rejects.toThrow('OUTBOUND_ALLOW');
    await closed.close();
  });
});

const registered: CheckedHttpSkill[] = [];
let kept: Map<string, SecretPlace[]> = new Map();
beforeEach(() => registered.splice(0));

const skills = {
  registerAll: async (_: Viewer, inputs: CheckedHttpSkill[]) => {
    registered.push(...inputs);
    return inputs.map(({ key }) => key);
  },
  secretPlacesOf: async () => kept,
} as unknown as HttpSkills;
const companySkills = { list: async () => [] } as unknown as SkillsService;

function imports(): OpenApiImports {
  return new OpenApiImports(outbound, skills, companySkills);
}

function importing(input: object): Promise<string[]> {
  return imports().import({} as Viewer, { operations: ['getA'], ...input });
}

function documentOf(parts: object): string {
  const paths = { '/a': { get: { operationId: 'getA' } } };
  return JSON.stringify({ openapi: '3.1.0', servers: [{ url: 'https://a.example/v1' }], paths, ...parts });
}

describe('a preview', () => {
  const previewed = (document: string): Promise<OpenApiPreview> =>
    imports().preview({} as Viewer, { document });

  it.each(['https://a.example/v1?tenant=7', 'https://{region}.a.example/', 'ftp://a.example/', 'https:///'])(
    'does not promise that the service can be called at %s, as an import refuses that',
    async (url) => {
      const document = documentOf({ servers: [{ url }] });
      await expect(importing({ document })).rejects.toMatchObject({
        extensions: { path: ['input', 'serverUrl'] },
      });
      const { serverUrl, operations } = await previewed(document);
      expect([serverUrl, operations[0]?.isImportable]).toEqual([null, true]);
      await importing({ document, serverUrl: 'https://a.example' });
      expect(registered.map((skill) => skill.url)).toEqual(['https://a.example/a']);
    },
  );

  it.each([
    ['title', { info: { title: 'The\u0007 shop\u0092s\n API', version: '1' } }],
    [
      'summary',
      { paths: { '/a': { get: { operationId: 'getA', summary: 'The shop\u0092s \u001b articles' } } } },
    ],
  ])('promises what an import makes, whatever characters stand in a %s', async (_, parts) => {
    const document = documentOf(parts);
    expect((await previewed(document)).operations).toMatchObject([{ isImportable: true, problems: [] }]);
    await importing({ document });
    expect(registered).toHaveLength(1);
  });
});

it('gives no skill a key that the server keeps for itself', async () => {
  const document = documentOf({ paths: { '/a': { get: { operationId: 'loadSkill' } } } });
  const { operations } = await imports().preview({} as Viewer, { document });
  expect(operations[0]?.key).toBe('load_skill_2');
});

it('skills that are imported again without their secrets go on without the arguments that these stand for', async () => {
  const parameters = [
    { name: 'X-Api-Key', in: 'header', required: true },
    { name: 'page', in: 'query' },
  ];
  const document = documentOf({ paths: { '/a': { get: { operationId: 'getA', parameters } } } });
  await importing({ document, secrets: [{ in: 'HEADER', name: 'x-api-key', value: 'abcdef' }] });
  kept = new Map([['get_a', [{ in: 'HEADER', name: 'x-api-key' }]]]);
  await importing({ document, replace: true });
  const [first, again] = registered.map((skill) => [skill.parameters, skill.placements]);
  expect(again).toEqual(first);
  expect(JSON.stringify(again)).not.toContain('Api');
});

describe('a service that is said to be at a path alone', () => {
  it('is where the document is', async () => {
    site.handler = (_, response) => void response.end(DOCUMENT);
    await importing({ url: `${site.url}/docs/openapi.json` });
    expect(registered.map(({ url }) => url)).toEqual([`${site.url}/api/a`]);
  });

  it('is asked for when the document was nowhere', async () => {
    await expect(importing({ document: DOCUMENT })).rejects.toThrow(
      /only that it is at \/api, on no host: give serverUrl/,
    );
  });
});
