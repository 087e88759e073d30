import type { AddressInfo } from 'node:net';

import { HttpAdapterHost } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import fc from 'fast-check';

import { ManualClock } from '../../common/manual-clock.js';
import { readConfig } from '../../config/config.js';
import { Secrets } from '../../secrets/secrets.js';
import { PublicUrl } from '../public-url.js';
import { LINK_MS, SignedLinks } from './signed-links.js';

const clock = new ManualClock();
const http = new HttpAdapterHost<FastifyAdapter>();
const linksOf = (env: Record<string, string>): SignedLinks =>
  new SignedLinks(
    new PublicUrl(readConfig(env), http),
    clock,
    new Secrets('a secret for tests that is long enough'),
  );
const links = linksOf({ PUBLIC_URL: 'https://palabre.example' });

const target = () => ({
  companyId: '0190e1c5-3f1a-7bcd-8ef0-123456789abc',
  id: '0190e1c5-3f1a-7bcd-9ef0-cba987654321',
  expiresAt: links.nextExpiry(),
});
const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

const refusal = { code: 'NOT_FOUND', message: 'There is no such link.' };

it('leads where it was made to lead, for a quarter of an hour', () => {
  const given = target();
  const url = links.urlOf('files', given);
  expect(url).toMatch(/^https:\/\/palabre\.example\/files\/[\w.-]+$/);
  // A router takes no longer part of an address.
  expect(tokenOf(url).length).toBeLessThanOrEqual(100);
  expect(links.read('files', tokenOf(url))).toEqual(given);
  clock.advance(LINK_MS - 1000);
  expect(links.read('files', tokenOf(url))).toEqual(given);
  clock.advance(1000);
  expect(() => links.read('files', tokenOf(url))).toThrow(
    expect.objectContaining({ code: 'NOT_FOUND', extensions: { expired: true } }),
  );
});

it('leads to the port that was picked, where nothing else was said', async () => {
  http.httpAdapter = new FastifyAdapter();
  const server = http.httpAdapter.getHttpServer();
  const open = linksOf({ PORT: '0' });
  expect(() => open.urlOf('files', target())).toThrow('does not listen yet');
  await http.httpAdapter.listen(0, '127.0.0.1');
  try {
    const { port } = server.address() as AddressInfo;
    expect(open.urlOf('uploads', target())).toContain(`http://localhost:${port}/uploads/`);
    const behindProxy = linksOf({ PORT: '0', PUBLIC_URL: 'https://palabre.example' });
    expect(behindProxy.urlOf('uploads', target())).toContain('https://palabre.example/uploads/');
  } finally {
    await http.httpAdapter.close();
  }
});

it('is good for one purpose', () => {
  const token = tokenOf(links.urlOf('files', target()));
  expect(() => links.read('uploads', token)).toThrow(expect.objectContaining(refusal));
});

it('leads nowhere when any character of it is another one', () => {
  const token = tokenOf(links.urlOf('files', target()));
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom('A', 'b', '-', '.', '/'), (index, other) => {
      fc.pre(token[index] !== other);
      const changed = token.slice(0, index) + other + token.slice(index + 1);
      expect(() => links.read('files', changed)).toThrow(expect.objectContaining(refusal));
    }),
  );
});

it('answers any text whatever with NOT_FOUND', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (token) => {
      expect(() => links.read('files', token)).toThrow(expect.objectContaining(refusal));
    }),
  );
});
