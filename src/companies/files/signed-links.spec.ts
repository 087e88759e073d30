import type { AddressInfo } from 'node:net';

import { HttpAdapterHost } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import fc from 'fast-check';

import { readConfig } from '../../common/config/read-config.js';
import { ManualClock } from '../../common/manual-clock.double.js';
import { Secrets } from '../../platform/secrets.js';
import { PublicUrl, LINK_CHARACTERS, LINK_MS, SignedLinks } from './signed-links.js';

const clock = new ManualClock();
const http = new HttpAdapterHost<FastifyAdapter>();
function linksOf(env: Record<string, string>): SignedLinks {
  return new SignedLinks(
    new PublicUrl(readConfig(env), http),
    clock,
    new Secrets('a secret for tests that is long enough'),
  );
}
const links = linksOf({ PUBLIC_URL: 'https://palabre.example' });

function target() {
  return {
    companyId: '0190e1c5-3f1a-7bcd-8ef0-123456789abc',
    id: '0190e1c5-3f1a-7bcd-9ef0-cba987654321',
    memberId: '0190e1c5-3f1a-7bcd-8ef0-0a1b2c3d4e5f',
    expiresAt: links.nextExpiry(),
  };
}
function tokenOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

const refusal = { code: 'NOT_FOUND', message: 'There is no such link.' };

it('gives its target back for 15 minutes', () => {
  const given = target();
  const url = links.urlOf('files', given);
  expect(url).toMatch(/^https:\/\/palabre\.example\/files\/[\w.-]+$/);
  expect(tokenOf(url)).toHaveLength(LINK_CHARACTERS);
  expect(links.read('files', tokenOf(url))).toEqual(given);
  clock.advance(LINK_MS - 1000);
  expect(links.read('files', tokenOf(url))).toEqual(given);
  clock.advance(1000);
  expect(() => links.read('files', tokenOf(url))).toThrow(
    expect.objectContaining({ code: 'NOT_FOUND', extensions: { expired: true } }),
  );
});

it('uses the port of the server when no public URL is set', async () => {
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

it('is valid for one purpose only', () => {
  const token = tokenOf(links.urlOf('files', target()));
  expect(() => links.read('uploads', token)).toThrow(expect.objectContaining(refusal));
});

it('is invalid when any character is changed', () => {
  const token = tokenOf(links.urlOf('files', target()));
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom('A', 'b', '-', '.', '/'), (index, other) => {
      fc.pre(token[index] !== other);
      const changed = token.slice(0, index) + other + token.slice(index + 1);
      expect(() => links.read('files', changed)).toThrow(expect.objectContaining(refusal));
    }),
  );
});

it('rejects any other text with NOT_FOUND', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (token) => {
      expect(() => links.read('files', token)).toThrow(expect.objectContaining(refusal));
    }),
  );
});
