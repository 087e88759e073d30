import type { JsonObject } from '@palabre/json';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';

import { signToken } from '../../src/companies/auth/token-signer.js';
import type { OAuthSite } from './mcp-oauth-site.js';
import { lastOf, readRequest } from './provider-request.js';
import { unasked } from './skill-view.js';
import { SECRET, type TestApp } from './start-app.js';
import type { TestClient, WireEvent } from './test-client.js';

const FIELDS = 'key authorization failure';
export const REGISTER = `mutation ($input: RegisterMcpServerInput!) { registerMcpServer(input: $input) { ${FIELDS} } }`;
const SERVERS = `{ mcpServers { ${FIELDS} } }`;
export const AUTHORIZE = `mutation ($input: AuthorizeMcpServerInput!) {
  authorizeMcpServer(input: $input) { url server { ${FIELDS} } }
}`;
export const SIGN_OUT = `mutation { deauthorizeMcpServer(key: "guarded") { ${FIELDS} } }`;

export interface ServerView {
  key: string;
  authorization: string;
  failure: string | null;
}

/** An admin of a company of their own, in a browser that keeps cookies. */
export class OAuthAdmin {
  cookie = '';

  constructor(
    private readonly app: TestApp,
    private readonly site: OAuthSite,
    readonly client: TestClient,
    readonly company: string,
    private readonly token: string,
  ) {}

  static async make(app: TestApp, site: OAuthSite, company?: string, sub = 'ada'): Promise<OAuthAdmin> {
    const slug = company ?? (await app.company());
    const claims = { sub, company: slug, role: 'ADMIN' as const, name: sub };
    const token = await signToken(SECRET, claims, 3600);
    return new OAuthAdmin(app, site, app.clientWith(token), slug, token);
  }

  async begin(input: object = {}): Promise<{ url: string | null; server: ServerView }> {
    const response = await fetch(`${this.app.url}/graphql`, {
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

  async signIn(input: object = {}): Promise<void> {
    const back = await this.agree((await this.begin(input)).url);
    const { status, said } = await this.comeBack(back);
    if (status !== 200) throw new Error(said);
  }

  async register(): Promise<ServerView> {
    const input = { key: 'guarded', url: this.site.url };
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
    const ended = await this.call();
    if (ended?.callStatus !== 'FAILED') throw new Error('The call did not fail.');
    const told = this.app.provider.requests.flatMap((request) => readRequest(request).messages);
    return told.findLast(({ role }) => role === 'tool')?.content ?? '';
  }

  async audited(): Promise<string[]> {
    const { auditEntries } = await this.client.get<{
      auditEntries: { edges: { node: { action: string } }[] };
    }>('{ auditEntries(first: 50) { edges { node { action } } } }');
    return auditEntries.edges.map(({ node }) => node.action);
  }
}

export async function signedIn(app: TestApp, site: OAuthSite): Promise<OAuthAdmin> {
  const admin = await OAuthAdmin.make(app, site);
  await admin.register();
  await admin.signIn();
  await unasked(admin.client, 'guarded__add');
  return admin;
}

export async function signedInMachine(app: TestApp, site: OAuthSite): Promise<OAuthAdmin> {
  const admin = await OAuthAdmin.make(app, site);
  await admin.register();
  await admin.begin({ clientId: 'machine', clientSecret: site.secret, grant: 'CLIENT_CREDENTIALS' });
  await unasked(admin.client, 'guarded__add');
  return admin;
}

/** Calls the tool of the site once in every turn. */
export function callsGuardedTool(body: JsonObject): ProviderReply {
  return lastOf(body).role === 'tool' ? [text('Done.'), finish()] : [toolCall('guarded__add', {}), finish()];
}
