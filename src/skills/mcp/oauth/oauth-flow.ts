import {
  auth,
  type AuthorizationServerMetadata,
  ClientCredentialsProvider,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  type FetchLike,
  fetchToken,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  OAuthError,
  OAuthErrorCode,
  type OAuthTokens,
  refreshAuthorization,
  selectClientAuthMethod,
  selectResourceURL,
  type StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';
import { type OutboundHttp, type OutboundMethod, readUrl } from '@palabre/outbound';

import { product } from '../../../common/product.js';
import type { Challenge } from '../client/http-link.js';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256_000;
/** The end of a token without a stated one: it is used until refused. */
const NO_END = Number.MAX_SAFE_INTEGER;

/** A client that an admin has registered at the authorization server. */
export interface GivenClient {
  clientId: string;
  clientSecret?: string | undefined;
  /** Signs in without a person. */
  isMachine: boolean;
  /** The only authorization server that gets the secret. Otherwise a server could name its own to obtain it. */
  issuer?: string | undefined;
}

/** The installation's addresses for authorization servers. */
export interface ClientAddresses {
  redirectUri: string;
  /** The client's metadata document. Servers that know such documents use it, if it is https. */
  documentUrl: string;
}

/** The servers that take part in a sign-in. Can be stored as JSON. */
export interface Parties {
  discovery: OAuthDiscoveryState;
  client: StoredOAuthClientInformation;
}

export interface Tokens {
  accessToken: string;
  refreshToken: string | null;
  /** Milliseconds since 1970. */
  expiresAtMs: number;
  /** Absent: not stated, for example because it equals the request. */
  scope?: string | undefined;
}

interface SignInBegun extends Parties {
  url: string;
  codeVerifier: string;
}

/** Why a sign-in is impossible, in words for people. */
class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
}

/** `fetch` through OutboundHttp. Without TLS only this machine is allowed, if OUTBOUND_ALLOW has it. */
export function authorizationFetch(http: OutboundHttp, requester: string, signal: AbortSignal): FetchLike {
  return async (input, init) => {
    const { status, headers, body } = await http.request({
      url: secure(String(input)),
      method: (init?.method ?? 'GET') as OutboundMethod,
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...(init?.body !== undefined && init.body !== null && { body: String(init.body) }),
      requester,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      maxRedirects: 0,
      signal,
    });
    return new Response([204, 205, 304].includes(status) ? null : new Uint8Array(body), { status, headers });
  };
}

export function clientMetadataOf({ redirectUri }: ClientAddresses): OAuthClientMetadata {
  return {
    client_name: product.name,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}

/**
 * Finds the server's authorization server, registers unless a client exists, and returns the address to open. Rejects
 * with SignInRefused, or with errors of the protocol's client.
 */
export async function beginSignIn(
  serverUrl: string,
  options: {
    challenge: Challenge;
    given: GivenClient | null;
    addresses: ClientAddresses;
    state: string;
    fetchFn: FetchLike;
  },
): Promise<SignInBegun> {
  const { challenge, given, addresses, state, fetchFn } = options;
  const found: Partial<SignInBegun> = given ? { client: informationOf(given) } : {};
  const provider: OAuthClientProvider = {
    redirectUrl: addresses.redirectUri,
    ...(addresses.documentUrl.startsWith('https:') && { clientMetadataUrl: addresses.documentUrl }),
    clientMetadata: clientMetadataOf(addresses),
    state: () => state,
    clientInformation: () => found.client,
    saveClientInformation: (client) => void (found.client = client),
    tokens: () => undefined,
    saveTokens: () => undefined,
    redirectToAuthorization: ({ href }) => void (found.url = secure(href)),
    saveCodeVerifier: (verifier) => void (found.codeVerifier = verifier),
    codeVerifier: () => found.codeVerifier ?? '',
    saveDiscoveryState: (discovery) => void (found.discovery = withPkce(checked(discovery, given))),
  };
  await auth(provider, { serverUrl, ...optionsOf(challenge), fetchFn });
  const { url, codeVerifier, discovery, client } = found;
  if (url === undefined || codeVerifier === undefined || !discovery || !client)
    throw new SignInRefused('The server does not ask anybody to sign in.');
  return { url, codeVerifier, discovery, client };
}

/** Exchanges the code for tokens. `iss`: the stated issuer of the code. */
export async function finishSignIn(
  { discovery, client, codeVerifier }: Parties & { codeVerifier: string },
  { code, iss, redirectUri }: { code: string; iss: string | undefined; redirectUri: string },
  fetchFn: FetchLike,
): Promise<Tokens> {
  const tokens = await exchangeAuthorization(discovery.authorizationServerUrl, {
    ...requestOf({ discovery, client }),
    authorizationCode: code,
    iss,
    codeVerifier,
    redirectUri,
    fetchFn,
  });
  return tokensOf(tokens);
}

/** Tokens for a client without a person. `discovery`: the servers of the previous sign-in. */
export async function signInAsMachine(
  serverUrl: string,
  options: { challenge: Challenge; given: GivenClient; discovery?: OAuthDiscoveryState; fetchFn: FetchLike },
): Promise<Parties & { tokens: Tokens }> {
  const { challenge, given, fetchFn } = options;
  const { resourceMetadataUrl, scope } = optionsOf(challenge);
  const discovery =
    options.discovery ??
    checked(
      await discoverOAuthServerInfo(serverUrl, {
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
        fetchFn,
      }),
      given,
    );
  const parties = { discovery, client: informationOf(given) };
  const { clientId, clientSecret = '' } = given;
  const expectedIssuer = issuerOf(parties);
  const provider = new ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer });
  await selectResourceURL(serverUrl, provider, discovery.resourceMetadata);
  const { metadata, resource } = requestOf(parties);
  const offered = discovery.resourceMetadata?.scopes_supported?.join(' ');
  const wanted = scope ?? offered;
  const tokens = await fetchToken(provider, discovery.authorizationServerUrl, {
    metadata,
    ...(resource !== undefined && { resource }),
    ...(wanted !== undefined && { scope: wanted }),
    fetchFn,
  });
  return { ...parties, tokens: tokensOf(tokens) };
}

export function issuerOf({ discovery }: Pick<Parties, 'discovery'>): string {
  return metadataOf(discovery).issuer;
}

/** Rejects with an OAuthError. `isOver` tells whether the sign-in is over. */
export async function refresh(parties: Parties, refreshToken: string, fetchFn: FetchLike): Promise<Tokens> {
  const options = { ...requestOf(parties), refreshToken, fetchFn };
  return tokensOf(await refreshAuthorization(parties.discovery.authorizationServerUrl, options));
}

/** Whether a refused refresh requires a new sign-in. */
export function isOver(error: unknown): boolean {
  return (
    error instanceof OAuthError &&
    error.code !== OAuthErrorCode.ServerError &&
    error.code !== OAuthErrorCode.TemporarilyUnavailable &&
    error.code !== OAuthErrorCode.TooManyRequests
  );
}

/** Whether the client itself is refused, not its request. */
export function isClientRefused(error: unknown): boolean {
  return (
    error instanceof OAuthError &&
    (error.code === OAuthErrorCode.InvalidClient || error.code === OAuthErrorCode.UnauthorizedClient)
  );
}

/** The token whose revocation ends the others too. */
function revocable({ accessToken, refreshToken }: Tokens): string {
  return refreshToken ?? accessToken;
}

/** RFC 7009, if the server supports it. */
export async function revoke(
  { discovery, client }: Parties,
  tokens: Tokens,
  fetchFn: FetchLike,
): Promise<void> {
  const metadata = metadataOf(discovery);
  const endpoint = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined;
  if (endpoint === undefined) return;
  const { client_id: id, client_secret: secret } = client;
  const method = selectClientAuthMethod(client, metadata.token_endpoint_auth_methods_supported ?? []);
  const isBasic = secret !== undefined && method === 'client_secret_basic';
  const body = new URLSearchParams({
    token: revocable(tokens),
    token_type_hint: tokens.refreshToken === null ? 'access_token' : 'refresh_token',
    ...(!isBasic && { client_id: id, ...(secret !== undefined && { client_secret: secret }) }),
  });
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...(isBasic && { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` }),
  };
  await fetchFn(endpoint, { method: 'POST', headers, body });
}

function optionsOf({ resourceMetadataUrl, scope }: Challenge): { resourceMetadataUrl?: URL; scope?: string } {
  return {
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl: new URL(resourceMetadataUrl) }),
    ...(scope !== undefined && { scope }),
  };
}

function informationOf({ clientId, clientSecret }: GivenClient): StoredOAuthClientInformation {
  return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
}

/** The protocol requires both documents: a client must stop if one is missing. */
function checked(discovery: OAuthDiscoveryState, given: GivenClient | null): OAuthDiscoveryState {
  const { resourceMetadata, authorizationServerMetadata: metadata } = discovery;
  if (!resourceMetadata) throw new SignInRefused('The server does not say who signs people in for it.');
  if (!metadata) throw new SignInRefused('The authorization server does not describe itself.');
  if (given?.issuer !== undefined && given.issuer !== metadata.issuer)
    throw new SignInRefused(`The client is for another authorization server than ${metadata.issuer}.`);
  return discovery;
}

/** Required by the protocol too: without it, others could use a leaked code. */
function withPkce(discovery: OAuthDiscoveryState): OAuthDiscoveryState {
  const { code_challenge_methods_supported: methods } = metadataOf(discovery);
  if (methods?.includes('S256')) return discovery;
  throw new SignInRefused('The authorization server does not support PKCE.');
}

function metadataOf({ authorizationServerMetadata }: OAuthDiscoveryState): AuthorizationServerMetadata {
  if (!authorizationServerMetadata) throw new SignInRefused('The authorization server is not known.');
  return authorizationServerMetadata;
}

function requestOf({ discovery, client }: Parties) {
  const resource = discovery.resourceMetadata?.resource;
  return {
    metadata: metadataOf(discovery),
    clientInformation: client,
    ...(resource !== undefined && { resource }),
  };
}

function tokensOf({ access_token, refresh_token, expires_in, scope }: OAuthTokens): Tokens {
  return {
    scope,
    accessToken: access_token,
    refreshToken: refresh_token ?? null,
    expiresAtMs: expires_in === undefined ? NO_END : Date.now() + expires_in * 1_000,
  };
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

function secure(text: string): string {
  const { protocol, hostname, href } = readUrl(text);
  if (protocol === 'https:' || loopback.has(hostname)) return href;
  throw new SignInRefused(`The authorization server is not reached by https: ${hostname}.`);
}
