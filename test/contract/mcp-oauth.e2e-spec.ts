import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';

import { OAuthSite } from '../harness/mcp-oauth-site.js';
import { lastOf, readRequest } from '../harness/provider-request.js';
import { unasked } from '../harness/skill-view.js';
import { SECRET, startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient, WireEvent } from '../harness/test-client.js';
import { signToken } from '../../src/companies/auth/token-signer.js';

const FIELDS = 'key authorization failure';
const REGISTER = `mutation ($input: RegisterMcpServerInput!) { registerMcpServer(input: $input) { ${FIELDS} } }`;
const SERVERS = `{ mcpServers { ${FIELDS} } }`;
const AUTHORIZE = `mutation ($input: AuthorizeMcpServerInput!) {
  authorizeMcpServer(input: $input) { url server { ${FIELDS} } }
}`;
const SIGN_OUT = `mutation { deauthorizeMcpServer(key: "guarded") { ${FIELDS} } }`;

interface ServerView {
  key: string;
  authorization: string;
  failure: string | null;
}

const stack = new AsyncDisposableStack();
let app: TestApp;
let site: OAuthSite;

beforeAll(async () => {
  app = stack.use(
    await startApp(
      (body) =>
        lastOf(body).role === 'tool' ? [text('Done.'), finish()] : [toolCall('guarded__add', {}), finish()],
      { OUTBOUND_ALLOW: '127.0.0.1' },
    ),
  );
});
beforeEach(async () => {
  site = await OAuthSite.start();
});
afterEach(() => site[Symbol.asyncDispose]());
afterAll(() => stack.disposeAsync());

/** An admin of a company of their own, in a browser that keeps cookies. */
class Admin {
  cookie = '';

  constructor(
    readonly client: TestClient,
    readonly company: string,
    private readonly token: string,
  ) {}

  static async make(company?: string, sub = 'ada'): Promise<Admin> {
    const slug = company ?? (await app.company());
    const claims = { sub, company: slug, role: 'ADMIN' as const, name: sub };
    const token = await signToken(SECRET, claims, 3600);
    return new Admin(app.clientWith(token), slug, token);
  }

  async begin(input: object = {}): Promise<{ url: string | null; server: ServerView }> {
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.token}` },
      body: JSON.stringify({ query: AUTHORIZE, variables: { input: { key: 'guarded', ...input } } }),
    });
    this.cookie = response.headers
      .getSetCookie()
      .map((each) => each.split(';', 1)[0])
      .join('; ');
    const answer = (await response.json()) as {
      data: { authorizeMcpServer: { url: string | null; server: ServerView } };
      errors?: { message: string }[];
    };
    if (answer.errors) throw new Error(answer.errors[0]?.message);
    return answer.data.authorizeMcpServer;
  }

  /** Where the authorization server sends the browser to. */
  async agree(url: string | null): Promise<string> {
    const { headers } = await fetch(url ?? '', { redirect: 'manual' });
    return headers.get('location') ?? '';
  }

  async comeBack(address: string, language = 'en'): Promise<{ status: number; said: string }> {
    const headers = { cookie: this.cookie, 'accept-language': language };
    const response = await fetch(address, { headers, redirect: 'manual' });
    return { status: response.status, said: await response.text() };
  }

  async signIn(): Promise<void> {
    const back = await this.agree((await this.begin()).url);
    const { status, said } = await this.comeBack(back);
    if (status !== 200) throw new Error(said);
  }

  async register(): Promise<ServerView> {
    const input = { key: 'guarded', url: site.url };
    const { registerMcpServer } = await this.client.get<{ registerMcpServer: ServerView }>(REGISTER, {
      input,
    });
    return registerMcpServer;
  }

  async server(): Promise<ServerView> {
    const { mcpServers } = await this.client.get<{ mcpServers: ServerView[] }>(SERVERS);
    return mcpServers[0]!;
  }

  async notes(): Promise<string[]> {
    const { mcpServers } = await this.client.get<{ mcpServers: { notes: string[] }[] }>(
      '{ mcpServers { notes } }',
    );
    return mcpServers[0]!.notes;
  }

  /** What became of the tool's call in one turn. */
  async call(): Promise<WireEvent | undefined> {
    const { turnId } = await this.client.ask('Please.');
    const events = await this.client.allEvents(turnId);
    return events.find(({ __typename }) => __typename === 'SkillFinished');
  }

  /** What the model was told of a call that fails. */
  async failure(): Promise<string> {
    expect((await this.call())?.callStatus).toBe('FAILED');
    const told = app.provider.requests.flatMap((request) => readRequest(request).messages);
    return told.findLast(({ role }) => role === 'tool')?.content ?? '';
  }

  async audited(): Promise<string[]> {
    const { auditEntries } = await this.client.get<{
      auditEntries: { edges: { node: { action: string } }[] };
    }>('{ auditEntries(first: 50) { edges { node { action } } } }');
    return auditEntries.edges.map(({ node }) => node.action);
  }
}

async function signedIn(): Promise<Admin> {
  const admin = await Admin.make();
  await admin.register();
  await admin.signIn();
  await unasked(admin.client, 'guarded__add');
  return admin;
}

async function signedInMachine(): Promise<Admin> {
  const admin = await Admin.make();
  await admin.register();
  await admin.begin({ clientId: 'machine', clientSecret: site.secret, grant: 'CLIENT_CREDENTIALS' });
  await unasked(admin.client, 'guarded__add');
  return admin;
}

describe('a server that lets in who signs in', () => {
  it('says so, and lets the company in once an admin has', async () => {
    const admin = await Admin.make();
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
    const admin = await Admin.make();
    await admin.register();
    const back = new URL(await admin.agree((await admin.begin()).url));
    change(back);
    await admin.comeBack(back.href);
    expect((await admin.server()).authorization).toBe('NEEDED');
    expect(site.grants).toEqual([]);
  });

  it('names the argument of a server that there is not', async () => {
    const { client } = await Admin.make();
    const { errors } = await client.send(AUTHORIZE, { input: { key: 'none' } });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', argument: 'input.key' } }]);
  });

  it('takes what a browser brings back once', async () => {
    const admin = await Admin.make();
    await admin.register();
    const back = await admin.agree((await admin.begin()).url);
    expect((await admin.comeBack(back)).status).toBe(200);
    const again = await admin.comeBack(back, 'es');
    expect(again).toEqual({ status: 400, said: expect.stringContaining('ya se usó') });
    expect(site.grants).toEqual(['authorization_code']);
  });

  it('takes nothing more when the sign-in was declined', async () => {
    const admin = await Admin.make();
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
    const [ours, theirs] = [await Admin.make(), await Admin.make()];
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
    const admin = await Admin.make(undefined, 'fallen');
    await admin.register();
    const back = await admin.agree((await admin.begin()).url);
    await (
      await app.client({ company: admin.company, sub: 'fallen', role: 'MEMBER' })
    ).get('{ viewer { id } }');
    expect((await admin.comeBack(back)).status).toBe(400);
    expect(site.grants).toEqual([]);
  });

  it('keeps tokens where nobody reads them', async () => {
    const admin = await signedIn();
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
    const admin = await Admin.make();
    await admin.register();
    arrange();
    await expect(admin.begin()).rejects.toThrow('Nobody can sign in at this server');
    expect(site.grants).toEqual([]);
  });
});

describe('a sign-in', () => {
  it('is renewed once for calls that come at the same time', async () => {
    const admin = await signedIn();
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
    const admin = await Admin.make();
    await admin.register();
    await admin.signIn();
    expect(await admin.server()).toMatchObject({ authorization: 'GRANTED', failure: null });
    expect(site.grants).toContain('refresh_token');
  });

  it('is over when the refresh is refused, which an admin can mend', async () => {
    const admin = await signedIn();
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
    const admin = await signedIn();
    site.forgetAccess();
    site.refuses = { status: 503, error: 'temporarily_unavailable' };
    expect(await admin.call()).toMatchObject({ callStatus: 'FAILED' });
    expect((await admin.server()).authorization).toBe('GRANTED');
    site.refuses = null;
    await admin.client.get('mutation { refreshMcpServer(key: "guarded") { key } }');
    expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });
  });

  it('can be ended: the tokens are erased and revoked', async () => {
    const admin = await signedIn();
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
    const admin = await signedIn();
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
    const admin = await Admin.make();
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
    const admin = await Admin.make();
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

describe('a tool that wants a scope which the sign-in lacks', () => {
  it('has an admin sign in again, for all scopes at once', async () => {
    const admin = await signedIn();
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
    const admin = await signedIn();
    site.toolScope = 'files:write';
    await admin.call();
    await admin.client.get('mutation { refreshMcpServer(key: "guarded") { key } }');
    expect(await admin.server()).toEqual({ key: 'guarded', authorization: 'NEEDED', failure: null });
    expect(await admin.notes()).toHaveLength(1);
    site.toolScope = 'tools';
    expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });
  });

  it('keeps its scopes when the sign-in is over', async () => {
    const admin = await signedIn();
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
    const admin = await signedIn();
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
    const admin = await signedIn();
    site.toolScope = 'files:write';
    site.challenge = challenge;
    expect(await admin.failure()).toContain(told);
    const isNeeded = told.includes('files:write');
    expect((await admin.server()).authorization).toBe(isNeeded ? 'NEEDED' : 'GRANTED');
  });

  it('is asked for at once by a machine, and the call repeated', async () => {
    const admin = await signedInMachine();
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
    const admin = await signedInMachine();
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

  it('waits for an authorization server that is away', async () => {
    const admin = await signedInMachine();
    site.toolScope = 'files:write';
    site.machineStatus = 503;
    expect(await admin.failure()).toContain('cannot be reached');
    expect(await admin.server()).toEqual({ key: 'guarded', authorization: 'GRANTED', failure: null });
    site.machineStatus = 200;
    expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });
  });
});

describe('signing in again', () => {
  it.each([200, 503])('has the tokens from before revoked, whatever the answer is: %d', async (status) => {
    const admin = await signedIn();
    site.revocationStatus = status;
    const [, refreshToken] = site.given;
    await admin.signIn();
    expect(site.revoked).toEqual([refreshToken]);
    site.forgetAccess();
    expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });
  });

  it('revokes nothing until the new tokens are there', async () => {
    const admin = await signedIn();
    const back = new URL(await admin.agree((await admin.begin()).url));
    back.searchParams.set('code', 'made up');
    await admin.comeBack(back.href);
    expect(site.revoked).toEqual([]);
    expect(await admin.call()).toMatchObject({ callStatus: 'SUCCEEDED' });
  });
});
