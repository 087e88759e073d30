import type { OutboundMethod } from './outbound-http.js';
import { type Hop, nextHop, readHeaders, readUrl } from './outbound-request.js';

const secret = { authorization: 'Bearer x', cookie: 'a=b', 'x-api-key': 'k', accept: 'text/html' };

function hopOf(url: string, hop: Partial<Hop> = {}): Hop {
  return {
    url: new URL(url),
    method: 'GET',
    headers: secret,
    body: null,
    ...hop,
  };
}

describe('an address', () => {
  it.each([
    ['ftp://a.example/'],
    ['file:///etc/passwd'],
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['//a.example'],
    ['a.example'],
    ['http://'],
    ['http://ada:secret@a.example/'],
    [`http://a.example/${'a'.repeat(9_000)}`],
  ])('%s is refused', (url) => {
    expect(() => readUrl(url)).toThrow(expect.objectContaining({ code: 'BAD_URL' }));
  });

  it.each([
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://127.1/',
    'http://127.0.0.1./',
  ])('%s is the one it stands for', (url) => {
    expect(readUrl(url).hostname).toBe('127.0.0.1');
  });
});

it('leaves to the connection what is the connection’s', () => {
  expect(readHeaders({ Host: 'evil', 'Content-Length': '5', 'X-Key': 'k' })).toEqual({ 'x-key': 'k' });
});

describe('a redirect', () => {
  it.each<[number, OutboundMethod, OutboundMethod]>([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [302, 'PUT', 'PUT'],
    [307, 'POST', 'POST'],
    [308, 'POST', 'POST'],
  ])('%i turns %s into %s', (status, method, expected) => {
    const body = method === 'HEAD' ? null : 'x';
    const next = nextHop(hopOf('https://a.example/x', { method, body }), status, '/y');
    expect(next).toMatchObject({ method: expected, body: expected === 'GET' ? null : body });
    expect(next?.url.href).toBe('https://a.example/y');
  });

  it.each([
    [200, '/y'],
    [304, '/y'],
    [302, undefined],
  ])('%i to %s is none', (status, location) => {
    expect(nextHop(hopOf('https://a.example/'), status, location)).toBeNull();
  });

  it('keeps secrets at the same origin', () => {
    expect(nextHop(hopOf('https://a.example/'), 302, '/y')?.headers).toEqual(secret);
  });

  it.each(['https://b.example/', 'https://a.example:8443/', 'https://www.a.example/'])(
    'takes no secret to %s',
    (location) => {
      expect(nextHop(hopOf('https://a.example/'), 302, location)?.headers).toEqual({ accept: 'text/html' });
    },
  );

  it('shows nothing confidential on an open line', () => {
    const blocked = expect.objectContaining({ code: 'BLOCKED' });
    expect(() => nextHop(hopOf('https://a.example/'), 302, 'http://a.example/')).toThrow(blocked);
    const posted = hopOf('https://a.example/', { method: 'POST', headers: {}, body: 'x' });
    expect(() => nextHop(posted, 307, 'http://a.example/')).toThrow(blocked);
    const plain = hopOf('https://a.example/', { headers: { accept: 'text/html' } });
    expect(nextHop(plain, 302, 'http://a.example/')?.url.protocol).toBe('http:');
  });

  it.each(['ftp://a.example/', 'http://ada:x@a.example/', 'http://['])('to %s is refused', (location) => {
    expect(() => nextHop(hopOf('https://a.example/'), 302, location)).toThrow(
      expect.objectContaining({ code: 'BAD_URL' }),
    );
  });
});
