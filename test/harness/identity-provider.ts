import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type Configuration, Provider } from 'oidc-provider';

export const CLIENT_ID = 'palabre';
export const CLIENT_SECRET = 'a secret of the client';

/** A real OpenID Connect provider of this machine, which lets everybody in at once as `person`. */
export class LocalIdentityProvider implements AsyncDisposable {
  /** What is said of who signs in next; null: they think better of it. */
  person: ({ sub: string } & Record<string, unknown>) | null = null;
  private provider: Provider | null = null;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<LocalIdentityProvider> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new LocalIdentityProvider(server);
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Settings of a server that people sign in to by this provider. */
  get settings(): Record<string, string> {
    return {
      AUTH_OIDC_ISSUER: this.issuer,
      AUTH_OIDC_CLIENT_ID: CLIENT_ID,
      AUTH_OIDC_CLIENT_SECRET: CLIENT_SECRET,
      AUTH_OIDC_NAME: 'Acme',
    };
  }

  /** Registers the server at `url` as the client. Before that, nothing is answered. */
  serve(url: string): void {
    this.provider = new Provider(this.issuer, this.configuration(url));
    const answer = this.provider.callback();
    this.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.url?.startsWith('/interaction/')) void this.decide(request, response);
      else void answer(request, response);
    });
  }

  private configuration(url: string): Configuration {
    return {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: [`${url}/auth/callback`],
          post_logout_redirect_uris: [`${url}/`],
        },
      ],
      cookies: { keys: ['a key of cookies'] },
      features: {
        devInteractions: { enabled: false },
        // The page that ships loads fonts from elsewhere.
        rpInitiatedLogout: { logoutSource: (context, form) => void (context.body = form) },
      },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      claims: { openid: ['sub', 'company', 'role', 'realm_access'], profile: ['name'], email: ['email'] },
      findAccount: (_context, sub) => {
        const said = { ...this.person, sub };
        return { accountId: sub, claims: () => Promise.resolve(said) };
      },
      loadExistingGrant: async ({ oidc }) => {
        const { client, session, provider } = oidc;
        const grant = new provider.Grant({ clientId: client!.clientId, accountId: session!.accountId! });
        grant.addOIDCScope('openid profile email');
        await grant.save();
        return grant;
      },
    };
  }

  private async decide(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const result = this.person ? { login: { accountId: this.person.sub } } : { error: 'access_denied' };
    await this.provider?.interactionFinished(request, response, result);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** What a browser does of cookies and redirects, without its pages. */
export class CookieJar {
  private readonly cookies = new Map<string, Map<string, string>>();

  /** The header for a server; cookies of any path. */
  headerFor(url: string): string {
    return [...(this.cookies.get(new URL(url).host) ?? [])].map((pair) => pair.join('=')).join('; ');
  }

  /** Of a server's cookies, the one whose name has `part` in it. */
  find(url: string, part: string): string | undefined {
    return [...(this.cookies.get(new URL(url).host) ?? [])].find(([name]) => name.includes(part))?.[1];
  }

  /** A request whose redirects are not followed. */
  async visit(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = { cookie: this.headerFor(url), ...(init.headers as Record<string, string>) };
    const response = await fetch(url, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.keep(url, name, value);
    }
    return response;
  }

  /** No value: the cookie is deleted. */
  keep(url: string, name: string, value: string): void {
    const { host } = new URL(url);
    const kept = this.cookies.get(host) ?? new Map<string, string>();
    this.cookies.set(host, kept);
    if (value === '') kept.delete(name);
    else kept.set(name, value);
  }

  /** Follows redirects until `isThere`, or to a page. Gives all addresses that were visited or stopped at. */
  async follow(url: string, isThere: (url: string) => boolean = () => false): Promise<string[]> {
    const visited = [url];
    for (let at = url; !isThere(at) && visited.length < 20; visited.push(at)) {
      const response = await this.visit(at);
      await response.arrayBuffer();
      const location = response.headers.get('location');
      if (location === null) break;
      at = new URL(location, at).href;
    }
    return visited;
  }
}
