import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import type { JsonObject, JsonValue } from '@palabre/json';
import { LocalSite } from '@palabre/outbound/local-site.double.js';

/** What was asked for at /authorize, until its code is exchanged. */
interface Code {
  challenge: string;
  redirectUri: string;
  client: string;
  resource: string | null;
  scope: string[];
}

/** An MCP server with one tool, `add`, that lets in who has signed in at the authorization server beside it. */
export class OAuthSite implements AsyncDisposable {
  /** Seconds that an access token lasts. */
  lifetime = 3600;
  /** Put over the metadata of the authorization server, and over that of the resource. */
  metadata: Record<string, JsonValue | undefined> = {};
  resourceMetadata: JsonObject = {};
  /** The scopes that the tool wants, as the server names them when it refuses a call. */
  toolScope = '';
  /** Sent in the place of such a challenge. */
  challenge: string | null = null;
  /** Whether the person declines. */
  declines = false;
  /** Scopes that nobody is given: `refused` with an error, or left out of what is granted. */
  withheld: { scope: string; isRefused: boolean } | null = null;
  /** The scopes of all requests for a code, and of all of machines for a token. */
  readonly asked: string[] = [];
  /** What a refresh is refused with; null: it is not. */
  refuses: { status: number; error: string } | null = null;
  /** How a machine's request for a token is answered, if its secret is right. */
  machineStatus = 200;
  /** Awaited before a token is given. */
  beforeToken: () => Promise<void> = () => Promise.resolve();
  /** The grant types of all requests for a token. */
  readonly grants: string[] = [];
  readonly revoked: string[] = [];
  /** How a request to revoke a token is answered. */
  revocationStatus = 200;
  /** Calls of the tool that were let in. */
  calls = 0;
  /** Requests that were refused for their token. */
  refusals = 0;
  secret = 'the-secret-of-the-machine';
  /** All tokens that were ever given out. */
  readonly given: string[] = [];
  private readonly codes = new Map<string, Code>();
  /** The addresses that each client may be sent back to. */
  readonly clients = new Map<string, string[]>();
  /** The scopes of each access token. */
  private readonly live = new Map<string, string[]>();
  /** Likewise. */
  private readonly refreshTokens = new Map<string, string[]>();

  private constructor(private readonly site: LocalSite) {}

  static async start(): Promise<OAuthSite> {
    const site = await LocalSite.start(() => undefined);
    const made = new OAuthSite(site);
    site.handler = (request, response) => void made.serve(request, response);
    return made;
  }

  get url(): string {
    return `${this.site.url}/mcp`;
  }

  get issuer(): string {
    return this.site.url;
  }

  /** From now on, access tokens of before are refused. */
  forgetAccess(): void {
    this.live.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.site[Symbol.asyncDispose]();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.site.url);
    const body = await text(request);
    const send = (status: number, said: JsonObject | null, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(said === null ? '' : JSON.stringify(said));
    };
    switch (url.pathname) {
      case '/mcp':
        return this.serveMcp(request, body, send);
      case '/.well-known/oauth-protected-resource/mcp':
        return send(200, {
          resource: this.url,
          authorization_servers: [this.issuer],
          ...this.resourceMetadata,
        });
      case '/.well-known/oauth-authorization-server':
        return send(200, { ...this.description(), ...(this.metadata as JsonObject) });
      case '/register': {
        const client = randomUUID();
        const asked = JSON.parse(body) as { redirect_uris: string[] };
        this.clients.set(client, asked.redirect_uris);
        return send(201, { ...asked, client_id: client });
      }
      case '/authorize':
        return this.authorize(url.searchParams, send);
      case '/token':
        return this.giveToken(new URLSearchParams(body), request.headers.authorization, send);
      case '/revoke':
        this.revoked.push(new URLSearchParams(body).get('token') ?? '');
        this.refreshTokens.delete(this.revoked.at(-1) ?? '');
        return send(this.revocationStatus, null);
      default:
        return send(404, null);
    }
  }

  private description(): JsonObject {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      registration_endpoint: `${this.issuer}/register`,
      revocation_endpoint: `${this.issuer}/revoke`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  private serveMcp(request: IncomingMessage, body: string, send: Send): void {
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    const scopes = this.live.get(token);
    const metadata = `${this.site.url}/.well-known/oauth-protected-resource/mcp`;
    if (!scopes) {
      this.refusals += 1;
      return send(401, null, { 'www-authenticate': `Bearer resource_metadata="${metadata}", scope="tools"` });
    }
    if (request.method !== 'POST') return send(405, null);
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return send(202, null);
    if (method === 'tools/call' && !listOf(this.toolScope).every((one) => scopes.includes(one))) {
      this.refusals += 1;
      const challenge = `Bearer error="insufficient_scope", scope="${this.toolScope}", resource_metadata="${metadata}"`;
      return send(403, null, { 'www-authenticate': this.challenge ?? challenge });
    }
    const result = this.resultOf(method, token);
    if (result) return send(200, { jsonrpc: '2.0', id, result });
    return send(200, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } });
  }

  private resultOf(method: string, token: string): JsonObject | null {
    if (method === 'initialize') {
      const serverInfo = { name: 'guarded', version: '1' };
      return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
    }
    if (method === 'tools/list') {
      return { tools: [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }] };
    }
    if (method !== 'tools/call') return null;
    this.calls += 1;
    return { content: [{ type: 'text', text: `You came with ${token}.` }] };
  }

  /** The person agrees or declines at once. */
  private authorize(asked: URLSearchParams, send: Send): void {
    const [client, redirectUri] = [asked.get('client_id') ?? '', asked.get('redirect_uri') ?? ''];
    const isKnown = this.clients.get(client)?.includes(redirectUri);
    const challenge = asked.get('code_challenge');
    if (!isKnown || challenge === null || asked.get('code_challenge_method') !== 'S256') {
      return send(400, { error: 'invalid_request' });
    }
    const back = new URL(redirectUri);
    const facts = { state: asked.get('state') ?? '', iss: this.issuer };
    if (this.declines) {
      back.search = String(new URLSearchParams({ error: 'access_denied', ...facts }));
      return send(302, null, { location: back.href });
    }
    const code = randomUUID();
    const scope = listOf(asked.get('scope'));
    this.asked.push(scope.join(' '));
    this.codes.set(code, { challenge, redirectUri, client, resource: asked.get('resource'), scope });
    back.search = String(new URLSearchParams({ code, ...facts }));
    return send(302, null, { location: back.href });
  }

  private async giveToken(
    asked: URLSearchParams,
    authorization: string | undefined,
    send: Send,
  ): Promise<void> {
    const grant = asked.get('grant_type') ?? '';
    this.grants.push(grant);
    await this.beforeToken();
    if (asked.get('resource') !== this.url) return send(400, { error: 'invalid_target' });
    if (grant === 'client_credentials') {
      const expected = `Basic ${Buffer.from(`machine:${this.secret}`).toString('base64')}`;
      if (authorization !== expected) return send(401, { error: 'invalid_client' });
      if (this.machineStatus !== 200) return send(this.machineStatus, { error: 'temporarily_unavailable' });
      const scope = listOf(asked.get('scope'));
      this.asked.push(scope.join(' '));
      const isRefused = this.withheld?.isRefused && scope.includes(this.withheld.scope);
      if (isRefused) return send(400, { error: 'invalid_scope' });
      return send(200, this.tokens(scope, { isRefreshable: false }));
    }
    if (grant === 'refresh_token') {
      if (this.refuses) return send(this.refuses.status, { error: this.refuses.error });
      // Each can be used once.
      const used = asked.get('refresh_token') ?? '';
      const scope = this.refreshTokens.get(used);
      this.refreshTokens.delete(used);
      return scope ? send(200, this.tokens(scope)) : send(400, { error: 'invalid_grant' });
    }
    const code = this.codes.get(asked.get('code') ?? '');
    this.codes.delete(asked.get('code') ?? '');
    const verifier = createHash('sha256')
      .update(asked.get('code_verifier') ?? '')
      .digest('base64url');
    const isFine =
      code !== undefined &&
      code.challenge === verifier &&
      code.redirectUri === asked.get('redirect_uri') &&
      code.client === asked.get('client_id') &&
      code.resource === this.url;
    return isFine ? send(200, this.tokens(code.scope)) : send(400, { error: 'invalid_grant' });
  }

  private tokens(asked: readonly string[], { isRefreshable = true } = {}): JsonObject {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    const scopes = asked.filter((one) => one !== this.withheld?.scope);
    this.live.set(access, scopes);
    this.given.push(access, refresh);
    if (isRefreshable) this.refreshTokens.set(refresh, scopes);
    const scope = scopes.join(' ');
    const tokens = { access_token: access, token_type: 'Bearer', expires_in: this.lifetime, scope };
    return isRefreshable ? { ...tokens, refresh_token: refresh } : tokens;
  }
}

function listOf(scope: string | null): string[] {
  return (scope ?? '').split(' ').filter((one) => one !== '');
}

type Send = (status: number, said: JsonObject | null, headers?: Record<string, string>) => void;
