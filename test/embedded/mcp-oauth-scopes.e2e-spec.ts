import { callsGuardedTool, SIGN_OUT, signedIn, signedInMachine } from '../harness/mcp-oauth-admin.js';
import { OAuthSite } from '../harness/mcp-oauth-site.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import { CALLBACK_PATH } from '../../src/skills/mcp/oauth/mcp-sign-ins.service.js';

const stack = new AsyncDisposableStack();
let app: TestApp;
let site: OAuthSite;

beforeAll(async () => {
  app = stack.use(await startApp(callsGuardedTool, { OUTBOUND_ALLOW: '127.0.0.1' }));
});
beforeEach(async () => {
  site = await OAuthSite.start();
});
afterEach(() => site[Symbol.asyncDispose]());
afterAll(() => stack.disposeAsync());

describe('a tool that wants a scope which the sign-in lacks', () => {
  it('has an admin sign in again, for all scopes at once', async () => {
    const admin = await signedIn(app, site);
    site.toolScope = 'files:write';
    for (let tries = 0; tries < 2; tries += 1) {
      expect(await admin.failure()).toContain(
        '(insufficient_scope): the sign-in lacks the scope files:write',
      );
    }
    expect(await admin.server()).toEqual({ key: 'guarded', authorization: 'NEEDED', failure: null });
    expect(await admin.notes()).toEqual([expect.stringContaining('want the scope files:write')]);
    const audited = await admin.audited();
    expect(audited.filter((action) => action === 'mcp-server.sign-in-too-narrow')).toHaveLength(1);

    await admin.signIn();
    expect(site.asked).toEqual(['tools', 'tools files:write']);
    expect(await admin.server()).toEqual({ key: 'guarded', authorization: 'GRANTED', failure: null });
    expect(await admin.notes()).toEqual([]);
    expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });
    site.forgetAccess();
    expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });
  });

  it('leaves the others in use meanwhile', async () => {
    const admin = await signedIn(app, site);
    site.toolScope = 'files:write';
    await admin.call();
    await admin.client.get('mutation { refreshMcpServer(key: "guarded") { key } }');
    expect(await admin.server()).toEqual({ key: 'guarded', authorization: 'NEEDED', failure: null });
    expect(await admin.notes()).toHaveLength(1);
    site.toolScope = 'tools';
    expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });
  });

  it('keeps its scopes when the sign-in is over', async () => {
    const admin = await signedIn(app, site);
    for (const scope of ['files:write', 'mail:send']) {
      site.toolScope = scope;
      await admin.call();
    }
    await admin.signIn();
    site.forgetAccess();
    site.refuses = { status: 400, error: 'invalid_grant' };
    await admin.call();
    expect((await admin.server()).authorization).toBe('EXPIRED');
    await admin.signIn();
    expect(site.asked).toEqual(['tools', ...Array(2).fill('tools files:write mail:send')]);
  });

  it('is forgotten when the company signs out', async () => {
    const admin = await signedIn(app, site);
    site.toolScope = 'files:write';
    await admin.call();
    await admin.client.get(SIGN_OUT);
    expect(await admin.notes()).toEqual([]);
    await admin.signIn();
    expect(site.asked).toEqual(['tools', 'tools']);
  });

  it.each([
    ['without an error', 'Bearer scope="files:write"', 'lacks the scope files:write'],
    ['of another error', 'Bearer error="invalid_request", scope="files:write"', 'HTTP 403'],
    ['that names none', 'Bearer error="insufficient_scope"', 'has not the rights for this'],
    ['of another kind', 'Basic realm="files:write"', 'HTTP 403'],
    ['beyond all measure', `Bearer scope="${'s'.repeat(3000)}"`, 'scopes that cannot be read'],
  ])('is told by a challenge %s', async (_what, challenge, told) => {
    const admin = await signedIn(app, site);
    site.toolScope = 'files:write';
    site.challenge = challenge;
    expect(await admin.failure()).toContain(told);
    const isNeeded = told.includes('files:write');
    expect((await admin.server()).authorization).toBe(isNeeded ? 'NEEDED' : 'GRANTED');
  });

  it('is asked for at once by a machine, and the call repeated', async () => {
    const admin = await signedInMachine(app, site);
    site.toolScope = 'files:write';
    const outcomes = await Promise.all(Array.from({ length: 3 }, () => admin.call()));
    expect(outcomes.map((each) => each?.callStatus)).toEqual(Array(3).fill('SUCCEEDED'));
    expect(site.asked).toEqual(['tools', 'tools files:write']);
    expect((await admin.server()).authorization).toBe('GRANTED');
    site.forgetAccess();
    expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });
    expect(site.asked.at(-1)).toBe('tools files:write');
  });

  it.each([
    ['refuses it', true],
    ['gives less than was asked for', false],
  ])('is asked for once by a machine whose authorization server %s', async (_what, isRefused) => {
    const admin = await signedInMachine(app, site);
    site.toolScope = 'files:write';
    site.withheld = { scope: 'files:write', isRefused };
    for (let tries = 0; tries < 2; tries += 1) {
      expect(await admin.failure()).toContain('lacks the scope files:write');
    }
    expect(site.asked).toEqual(['tools', 'tools files:write']);
    expect((await admin.server()).authorization).toBe('NEEDED');
    expect(await admin.notes()).toEqual([expect.stringContaining('let its client have that')]);
    // What it was given is still good for the others.
    site.toolScope = 'tools';
    expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });

    site.toolScope = 'files:write';
    site.withheld = null;
    await admin.begin();
    expect(await admin.server()).toEqual({ key: 'guarded', authorization: 'GRANTED', failure: null });
    expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });
  });

  it('is over for a machine whose authorization server lets it in no more', async () => {
    const admin = await signedInMachine(app, site);
    site.toolScope = 'files:write';
    site.secret = 'another';
    expect(await admin.failure()).toContain('The sign-in at this server is over');
    expect((await admin.server()).authorization).toBe('EXPIRED');
    expect(await admin.notes()).toEqual([]);
    await admin.begin({ clientId: 'machine', clientSecret: site.secret, grant: 'CLIENT_CREDENTIALS' });
    expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });
  });

  it('waits for an authorization server that is away', async () => {
    const admin = await signedInMachine(app, site);
    site.toolScope = 'files:write';
    site.machineStatus = 503;
    expect(await admin.failure()).toContain('cannot be reached');
    expect(await admin.server()).toEqual({ key: 'guarded', authorization: 'GRANTED', failure: null });
    site.machineStatus = 200;
    expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });
  });
});

describe('signing in again', () => {
  it.each([200, 503])(
    'as another client has the tokens from before revoked, whatever the answer is: %d',
    async (status) => {
      const admin = await signedIn(app, site);
      site.revocationStatus = status;
      const [, refreshToken] = site.given;
      await admin.begin({ clientId: 'machine', clientSecret: site.secret, grant: 'CLIENT_CREDENTIALS' });
      expect(site.revoked).toEqual([refreshToken]);
      expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });
    },
  );

  it('as the same client revokes nothing: many servers would end the new sign-in with the old', async () => {
    const admin = await signedIn(app, site);
    site.clients.set('known', [`${app.url}${CALLBACK_PATH}`]);
    await admin.signIn({ clientId: 'known' });
    const before = site.revoked.length;
    await admin.signIn();
    expect(site.revoked).toHaveLength(before);
    site.forgetAccess();
    expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });
  });

  it('that is declined leaves everything as it was, without the scopes that were lacking', async () => {
    const admin = await signedIn(app, site);
    site.toolScope = 'files:write';
    await admin.failure();
    const back = new URL(await admin.agree((await admin.begin()).url));
    back.searchParams.delete('code');
    back.searchParams.set('error', 'invalid_scope');
    await admin.comeBack(back.href);
    expect(await admin.server()).toEqual({ key: 'guarded', authorization: 'GRANTED', failure: null });
    expect(await admin.notes()).toEqual([]);
    site.toolScope = 'tools';
    expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });
    await admin.begin();
    expect((await admin.begin()).url).not.toContain('files');
  });

  it('revokes nothing until the new tokens are there', async () => {
    const admin = await signedIn(app, site);
    const back = new URL(await admin.agree((await admin.begin()).url));
    back.searchParams.set('code', 'made up');
    await admin.comeBack(back.href);
    expect(site.revoked).toEqual([]);
    expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });
  });
});
