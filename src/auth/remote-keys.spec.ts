import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { jest } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWTVerifyGetKey } from 'jose';

import { remoteKeys } from './remote-keys.js';

const minutes = 60_000;
const header = (kid: string) => ({ alg: 'ES256', kid });
const token = { payload: '', signature: '' };

const keySet = async (kid: string): Promise<string> => {
  const { publicKey } = await generateKeyPair('ES256', { extractable: true });
  return JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }] });
};

const serving =
  (body: string): RequestListener =>
  (_request, response) =>
    void response.end(body);
const failing: RequestListener = (_request, response) => void response.writeHead(503).end();

describe('remoteKeys', () => {
  let server: Server;
  let answer: RequestListener;
  let requests: number;
  let now: number;
  let keys: JWTVerifyGetKey;

  beforeEach(async () => {
    now = 0;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    requests = 0;
    server = createServer((request, response) => {
      requests += 1;
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    keys = remoteKeys(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`));
    answer = serving(await keySet('k1'));
    await keys(header('k1'), token);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const elapse = (ms: number) => void (now += ms);
  /** Time for an answer to arrive that nobody waits for. */
  const settled = () => new Promise((resolve) => setTimeout(resolve, 100));

  it('keeps the keys last read while the provider fails, and asks it twice a minute', async () => {
    answer = failing;
    elapse(11 * minutes);
    for (let i = 0; i < 3; i++) await expect(keys(header('k1'), token)).resolves.toBeDefined();
    expect(requests).toBe(2);
    elapse(0.5 * minutes);
    await expect(keys(header('k1'), token)).resolves.toBeDefined();
    await settled();
    expect(requests).toBe(3);
  });

  it('keeps nobody waiting for a provider that has failed and now hangs', async () => {
    answer = failing;
    elapse(11 * minutes);
    await keys(header('k1'), token);
    const hanging = Promise.withResolvers<ServerResponse>();
    answer = (_request, response) => hanging.resolve(response);
    elapse(1 * minutes);
    await keys(header('k1'), token);
    // It would have been given up by then.
    expect((await hanging.promise).destroyed).toBe(false);
  });

  it('does not keep them for longer than six hours', async () => {
    answer = failing;
    elapse(359 * minutes);
    await expect(keys(header('k1'), token)).resolves.toBeDefined();
    elapse(2 * minutes);
    await expect(keys(header('k1'), token)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('says UNAVAILABLE of a key that may be a new one, until the provider is back', async () => {
    answer = failing;
    elapse(11 * minutes);
    await expect(keys(header('k2'), token)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      cause: { message: expect.stringContaining('200 OK') },
    });
    answer = serving(await keySet('k2'));
    elapse(1 * minutes);
    await expect(keys(header('k2'), token)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await settled();
    await expect(keys(header('k2'), token)).resolves.toBeDefined();
    await expect(keys(header('k1'), token)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  });
});
