import { once } from 'node:events';

import type { Viewer } from '../../../companies/auth/viewer.js';
import { LocalSite } from '../../../platform/outbound/local-site.double.js';
import { UndiciOutboundHttp } from '../../../platform/outbound/undici-outbound-http.js';
import type { SkillsService } from '../../skills.service.js';
import type { HttpSkills } from '../http-skills.service.js';
import type { HttpSkillInput } from '../http-skill-input.js';
import { BadDocument } from './openapi-document.js';
import { fetchDocument, OpenApiImports } from './openapi-imports.service.js';

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
    const fetching = fetchDocument(outbound, site.url, 100);
    await expect(fetching).rejects.toThrow(BadDocument);
    await expect(fetching).rejects.toThrow('did not answer in time');
    await closed.promise;
  });

  it('is refused by its status, and with the way to open its address', async () => {
    site.handler = (_, response) => void response.writeHead(404).end(DOCUMENT);
    await expect(fetchDocument(outbound, site.url)).rejects.toThrow('status 404');
    const closed = new UndiciOutboundHttp({ allow: [] });
    await expect(fetchDocument(closed, site.url)).rejects.toThrow('OUTBOUND_ALLOW');
    await closed.close();
  });
});

describe('a service that is said to be at a path alone', () => {
  const registered: HttpSkillInput[] = [];
  const skills = {
    registerAll: (_: Viewer, inputs: HttpSkillInput[]) => {
      registered.push(...inputs);
      return Promise.resolve(inputs.map(({ key }) => key));
    },
  };
  const importing = (input: object): Promise<string[]> =>
    new OpenApiImports(outbound, skills as unknown as HttpSkills, {} as SkillsService).import({} as Viewer, {
      operations: ['getA'],
      ...input,
    });

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
