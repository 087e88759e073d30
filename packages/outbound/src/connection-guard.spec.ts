import { isIP, type LookupFunction } from 'node:net';

import { ConnectionGuard } from './connection-guard.js';

const addresses: Readonly<Record<string, string>> = {
  'models.example.org': '93.184.216.34',
  'inside.example.org': '10.0.0.7',
  'erp.internal': '10.0.0.8',
};

function lookup(...[host, , callback]: Parameters<LookupFunction>): void {
  callback(null, [{ address: addresses[host] ?? '', family: 4 }]);
}

/** The address for a connection to `url`, or why there is none. */
function target(url: string, allow: string[] = []): Promise<string> {
  return new Promise((resolve) => {
    try {
      const of = new ConnectionGuard(allow, lookup).lookupOf(new URL(url));
      const { hostname } = new URL(url);
      // IP addresses are not looked up.
      if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return resolve(hostname);
      of(hostname, { all: true }, (error, found) => {
        const [first] = Array.isArray(found) ? found : [];
        resolve(error ? error.message : (first?.address ?? ''));
      });
    } catch (error) {
      resolve((error as Error).message);
    }
  });
}

const blocked = /may not be reached from here/;

describe('a connection under guard', () => {
  it('goes to public addresses', async () => {
    expect(await target('https://models.example.org/v1')).toBe('93.184.216.34');
  });

  it.each([
    'https://inside.example.org/v1',
    'http://127.0.0.1:11434/v1',
    'http://[::1]:11434/v1',
    'http://169.254.169.254/latest',
    'http://2130706433/v1',
  ])('does not go to %s', async (url) => {
    expect(await target(url)).toMatch(blocked);
  });

  it('goes where the operator allows it', async () => {
    expect(await target('http://erp.internal:8000/v1', ['erp.internal'])).toBe('10.0.0.8');
    expect(await target('https://inside.example.org/v1', ['10.0.0.0/8'])).toBe('10.0.0.7');
    expect(await target('https://inside.example.org/v1', ['erp.internal'])).toMatch(blocked);
  });
});
