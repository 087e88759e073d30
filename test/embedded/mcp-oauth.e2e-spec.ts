import {
  AUTHORIZE,
  callsGuardedTool,
  OAuthAdmin,
  REGISTER,
  type ServerView,
  SIGN_OUT,
  signedIn,
} from '../harness/mcp-oauth-admin.js';
import { OAuthSite } from '../harness/mcp-oauth-site.js';
import { unasked } from '../harness/skill-view.js';
import { startApp, type TestApp } from '../harness/start-app.js';

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

describe('a server that lets in who signs in', () => {
  it('says so, and lets the company in once an admin has', async () => {
    const admin = await OAuthAdmin.make(app, site);
    expect(await admin.register()).toEqual({
      key: 'guarded',
      authorization: 'NEEDED',
      failure: expect.stringContaining('an admin does so'),
    });
    const { url } = await admin.begin();
    const asked = new URL(url ?? '').searchParams;
    expect(asked.get('resource')).toBe(site.url);
    expect(asked.get('scope')).toBe('tools');
    expect(asked.get('redirect_uri')).toBe(`${app.url}/auth/mcp/callback`);
    const back = await admin.comeBack(await admin.agree(url), 'fr-FR,fr;q=0.9');
    expect(back).toEqual({ status: 200, said: expect.stringContaining('Connexion réussie') });
    expect(await admin.server()).toEqual({ key: 'guarded', authorization: 'GRANTED', failure: null });

    await unasked(admin.client, 'guarded__add');
    const done = await admin.call();
    expect(done).toMatchObject({ callStatus: 'SUCCEEDED' });
    expect(JSON.stringify(done)).toContain('You came with');
    for (const token of site.given) expect(JSON.stringify(done)).not.toContain(token);
    expect(await admin.audited()).toContain('mcp-server.signed-in');
  });

  it.each([
    ['a state of nobody’s', (back: URL) => back.searchParams.set('state', 'made up')],
    [
      'another state of the same server',
      (back: URL) => {
        const state = back.searchParams.get('state') ?? '';
        back.searchParams.set('state', `${state.slice(0, -4)}AAAA`);
      },
    ],
    ['a code from another server', (back: URL) => back.searchParams.set('iss', 'https://other.example')],
    ['a code without a word of who gave it', (back: URL) => back.searchParams.delete('iss')],
    ['no code', (back: URL) => back.searchParams.delete('code')],
  ])('lets nobody in for %s', async (_what, change) => {
    const admin = await OAuthAdmin.make(app, site);
    await admin.register();
    const back = new URL(await admin.agree((await admin.begin()).url));
    change(back);
    await admin.comeBack(back.href);
    expect((await admin.server()).authorization).toBe('NEEDED');
    expect(site.grants).toEqual([]);
  });

  it('names the argument of a server that there is not', async () => {
    const { client } = await OAuthAdmin.make(app, site);
    const { errors } = await client.send(AUTHORIZE, { input: { key: 'none' } });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', argument: 'input.key' } }]);
  });

  it('takes what a browser brings back once', async () => {
    const admin = await OAuthAdmin.make(app, site);
    await admin.register();
    const back = await admin.agree((await admin.begin()).url);
    expect((await admin.comeBack(back)).status).toBe(200);
    const again = await admin.comeBack(back, 'es');
    expect(again).toEqual({ status: 400, said: expect.stringContaining('ya se usó') });
    expect(site.grants).toEqual(['authorization_code']);
  });

  it('takes nothing more when the sign-in was declined', async () => {
    const admin = await OAuthAdmin.make(app, site);
    await admin.register();
    const back = await admin.agree((await admin.begin()).url);
    const declined = new URL(back);
    declined.searchParams.delete('code');
    declined.searchParams.set('error', 'access_denied');
    const answer = await admin.comeBack(declined.href, 'zh-Hant');
    expect(answer).toEqual({ status: 200, said: expect.stringContaining('被拒絕') });
    expect((await admin.comeBack(back)).status).toBe(400);
    expect(site.grants).toEqual([]);
  });

  it('is not let in by who has not begun: neither another company’s admin nor whoever is sent the address', async () => {
    const [ours, theirs] = [await OAuthAdmin.make(app, site), await OAuthAdmin.make(app, site)];
    await ours.register();
    await theirs.register();
    const { url } = await ours.begin();
    const foreign = await theirs.agree(url);
    await theirs.begin();
    expect((await theirs.comeBack(foreign)).status).toBe(400);
    theirs.cookie = '';
    expect((await theirs.comeBack(foreign)).status).toBe(400);
    theirs.cookie = ours.cookie.replace(/=.*/, '=guessed');
    expect((await theirs.comeBack(foreign)).status).toBe(400);
    expect((await ours.server()).authorization).toBe('NEEDED');
    expect((await theirs.server()).authorization).toBe('NEEDED');
    // It was not used up by those who tried.
    expect((await ours.comeBack(foreign)).status).toBe(200);
    expect((await theirs.server()).authorization).toBe('NEEDED');
  });

  it('is not let in by who is no admin any more', async () => {
    const admin = await OAuthAdmin.make(app, site, undefined, 'fallen');
    await admin.register();
    const back = await admin.agree((await admin.begin()).url);
    await (
      await app.client({ company: admin.company, sub: 'fallen', role: 'MEMBER' })
    ).get('{ viewer { id } }');
    expect((await admin.comeBack(back)).status).toBe(400);
    expect(site.grants).toEqual([]);
  });

  it('keeps tokens where nobody reads them', async () => {
    const admin = await signedIn(app, site);
    const rows: unknown[] = await app.database.dataSource.query('SELECT * FROM mcp_server');
    const audit: unknown[] = await app.database.dataSource.query('SELECT * FROM audit_entry');
    const prompts = JSON.stringify(app.provider.requests);
    await admin.call();
    for (const token of site.given) {
      expect(JSON.stringify([rows, audit])).not.toContain(token);
      expect(prompts).not.toContain(token);
    }
  });
});

describe('what does not fit together', () => {
  it.each([
    ['an issuer that calls itself otherwise', () => (site.metadata = { issuer: 'https://other.example' })],
    ['another resource', () => (site.resourceMetadata = { resource: 'https://other.example/mcp' })],
    [
      'a server that does not speak of PKCE',
      () => (site.metadata = { code_challenge_methods_supported: undefined }),
    ],
    [
      'a page that is not reached by https',
      () => (site.metadata = { authorization_endpoint: 'http://sign-in.example/authorize' }),
    ],
    [
      'an address inside the network',
      () => (site.resourceMetadata = { authorization_servers: ['https://10.0.0.1'] }),
    ],
  ])('ends the sign-in before it begins: %s', async (_what, arrange) => {
    const admin = await OAuthAdmin.make(app, site);
    await admin.register();
    arrange();
    await expect(admin.begin()).rejects.toThrow('Nobody can sign in at this server');
    expect(site.grants).toEqual([]);
  });
});

describe('a sign-in', () => {
  it('is renewed once for calls that come at the same time', async () => {
    const admin = await signedIn(app, site);
    await admin.call();
    site.forgetAccess();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => admin.call()));
    expect(outcomes.map((each) => each?.callStatus)).toEqual(Array(5).fill('SUCCEEDED'));
    expect(site.grants).toEqual(['authorization_code', 'refresh_token']);
    site.forgetAccess();
    expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });
    expect(site.grants).toEqual(['authorization_code', 'refresh_token', 'refresh_token']);
  });

  it('is renewed before its token ends', async () => {
    site.lifetime = 5;
    const admin = await OAuthAdmin.make(app, site);
    await admin.register();
    await admin.signIn();
    expect(await admin.server()).toMatchObject({ authorization: 'GRANTED', failure: null });
    expect(site.grants).toContain('refresh_token');
  });

  it('is over when the refresh is refused, which an admin can mend', async () => {
    const admin = await signedIn(app, site);
    site.forgetAccess();
    site.refuses = { status: 400, error: 'invalid_grant' };
    expect(await admin.call()).toMatchObject({
      callStatus: 'FAILED',
      resultPreview: 'Le service ne laisse pas entrer l’assistant : un administrateur doit s’en occuper.',
    });
    expect((await admin.server()).authorization).toBe('EXPIRED');
    expect(await admin.audited()).toContain('mcp-server.sign-in-expired');
    site.refuses = null;
    await admin.signIn();
    expect(await admin.server()).toMatchObject({ authorization: 'GRANTED', failure: null });
    expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });
  });

  it('outlives an authorization server that is away for a while', async () => {
    const admin = await signedIn(app, site);
    site.forgetAccess();
    site.refuses = { status: 503, error: 'temporarily_unavailable' };
    expect(await admin.call()).toMatchObject({ callStatus: 'FAILED' });
    expect((await admin.server()).authorization).toBe('GRANTED');
    site.refuses = null;
    await admin.client.get('mutation { refreshMcpServer(key: "guarded") { key } }');
    expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });
  });

  it('can be ended: the tokens are erased and revoked', async () => {
    const admin = await signedIn(app, site);
    const { deauthorizeMcpServer } = await admin.client.get<{ deauthorizeMcpServer: ServerView }>(SIGN_OUT);
    expect(deauthorizeMcpServer.authorization).toBe('NEEDED');
    await admin.client.get(SIGN_OUT);
    const { auditEntries } = await admin.client.get<{
      auditEntries: { edges: { node: { action: string } }[] };
    }>('{ auditEntries { edges { node { action } } } }');
    const actions = auditEntries.edges.map(({ node }) => node.action);
    expect(actions.filter((action) => action === 'mcp-server.signed-out')).toHaveLength(1);
    expect(site.revoked).toEqual([site.given[1]]);
    expect(await admin.call()).toMatchObject({ callStatus: 'FAILED' });
    expect(site.calls).toBe(0);
    expect(await admin.audited()).toContain('mcp-server.signed-out');
  });

  it('ends with its server, and when that stands elsewhere', async () => {
    const admin = await signedIn(app, site);
    const input = { key: 'guarded', url: 'http://127.0.0.1:1/mcp' };
    await admin.client.get(REGISTER, { input });
    expect((await admin.server()).authorization).toBe('NONE');
    expect(site.revoked).toHaveLength(1);
    await admin.register();
    await admin.signIn();
    await admin.client.get('mutation { deleteMcpServer(key: "guarded") }');
    expect(site.revoked).toHaveLength(2);
  });
});

describe('a machine', () => {
  it('is let in without anybody', async () => {
    const admin = await OAuthAdmin.make(app, site);
    await admin.register();
    const wrong = { clientId: 'machine', clientSecret: 'no-such-secret', grant: 'CLIENT_CREDENTIALS' };
    await expect(admin.begin(wrong)).rejects.toThrow('Nobody can sign in');
    await expect(admin.begin({ grant: 'CLIENT_CREDENTIALS' })).rejects.toThrow('id and a secret');
    const { url, server } = await admin.begin({ ...wrong, clientSecret: site.secret });
    expect({ url, server }).toEqual({
      url: null,
      server: { key: 'guarded', authorization: 'GRANTED', failure: null },
    });
    await unasked(admin.client, 'guarded__add');
    site.forgetAccess();
    expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });
  });

  it('shows its secret to no other authorization server than its own', async () => {
    const admin = await OAuthAdmin.make(app, site);
    await admin.register();
    const machine = { clientId: 'machine', clientSecret: site.secret, grant: 'CLIENT_CREDENTIALS' };
    const elsewhere = admin.begin({ ...machine, issuer: 'https://other.example' });
    await expect(elsewhere).rejects.toThrow('for another authorization server');
    expect(site.grants).toEqual([]);
    await admin.begin(machine);
    await using other = await OAuthSite.start();
    site.resourceMetadata = { authorization_servers: [other.issuer] };
    await expect(admin.begin()).rejects.toThrow('for another authorization server');
    expect(other.grants).toEqual([]);
  });
});
