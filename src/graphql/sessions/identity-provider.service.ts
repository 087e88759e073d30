import { Injectable } from '@nestjs/common';
import * as oidc from 'openid-client';
import { OutboundHttp, type OutboundMethod } from '@palabre/outbound';

import { Config, type OidcConfig } from '../../common/config/config.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;

/** Values that the browser must return from the provider. Otherwise the answer belongs to another sign-in. */
export interface SignInChecks {
  state: string;
  nonce: string;
  /** For PKCE. The provider gets it only after the code comes back. */
  verifier: string;
}

/** The installation's OpenID Connect provider: code flow with PKCE. Without AUTH_OIDC_ISSUER its methods throw. */
@Injectable()
export class IdentityProvider {
  private discovered: Promise<oidc.Configuration> | null = null;

  constructor(
    private readonly config: Config,
    private readonly outbound: OutboundHttp,
  ) {}

  /** The address for signing in. `redirectUri`: where the browser comes back. */
  async begin(redirectUri: string): Promise<{ url: URL; checks: SignInChecks }> {
    const provider = await this.discover();
    const checks = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    };
    const url = oidc.buildAuthorizationUrl(provider, {
      redirect_uri: redirectUri,
      scope: this.settings.scope,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
    });
    return { url, checks };
  }

  /**
   * The provider's claims about the person who came back to `callback`. Rejects for an invalid code, or an answer to
   * another sign-in.
   */
  async claimsOf(callback: URL, { state, nonce, verifier }: SignInChecks): Promise<Record<string, unknown>> {
    const provider = await this.discover();
    const tokens = await oidc.authorizationCodeGrant(provider, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const said = tokens.claims();
    if (!said) throw new Error('The provider has given no ID token.');
    // Many providers keep ID tokens small and have the rest here.
    const more = provider.serverMetadata().userinfo_endpoint
      ? await oidc.fetchUserInfo(provider, tokens.access_token, said.sub)
      : {};
    return { ...more, ...said };
  }

  /** Null: the provider has none. */
  async signOutUrl(returnTo: string): Promise<URL | null> {
    const provider = await this.discover();
    if (!provider.serverMetadata().end_session_endpoint) return null;
    return oidc.buildEndSessionUrl(provider, { post_logout_redirect_uri: returnTo });
  }

  private get settings(): OidcConfig {
    if (!this.config.oidc) throw new Error('There is no identity provider.');
    return this.config.oidc;
  }

  private discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    this.discovered ??= oidc
      .discovery(new URL(issuer), clientId, {}, authenticationWith(clientSecret), {
        [oidc.customFetch]: (url, options) => this.fetch(url, options),
        execute: [
          oidc.enableNonRepudiationChecks,
          ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
        ],
      })
      .catch((error: unknown) => {
        this.discovered = null;
        throw error;
      });
    return this.discovered;
  }

  private async fetch(url: string, { method, headers, body }: oidc.CustomFetchOptions): Promise<Response> {
    const answer = await this.outbound.request({
      url,
      method: method as OutboundMethod,
      headers,
      ...(body ? { body: String(body) } : {}),
      requester: 'installation',
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      maxRedirects: 0,
      isOperators: new URL(url).host === new URL(this.settings.issuer).host,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return new Response(answer.body.length > 0 ? new Uint8Array(answer.body) : null, {
      status: answer.status,
      headers: answer.headers,
    });
  }
}

/** A secret is sent in the body if the provider supports that, else in a header, which all support. */
function authenticationWith(secret: string | null): oidc.ClientAuth {
  if (secret === null) return oidc.None();
  const [inBody, inHeader] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)];
  return (server, ...request) => {
    const isInBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false;
    return (isInBody ? inBody : inHeader)(server, ...request);
  };
}
