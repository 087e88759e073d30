import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { OAuthSite } from '../harness/mcp-oauth-site.js';

const program = fileURLToPath(new URL('../conformance/client.js', import.meta.url));

it('the client that the conformance suite of MCP runs signs in, asks for more scopes, and calls', async () => {
  await using site = await OAuthSite.start();
  site.toolScope = 'files:write';
  await promisify(execFile)(process.execPath, [program, site.url]);
  expect(site.asked).toEqual(['tools', 'tools files:write']);
  expect(site.calls).toBe(1);
});
