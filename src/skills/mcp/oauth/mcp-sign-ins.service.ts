import { hash, randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { OutboundError } from '@palabre/outbound';
import { singleLine } from '@palabre/text';
import { z } from 'zod';

import { checkInput } from '../../../common/check-input.js';
import { Clock } from '../../../common/clock.js';
import { badInput, DomainError, notFound } from '../../../common/errors/domain-error.js';
import { AuditService } from '../../../companies/audit/audit.service.js';
import type { Viewer } from '../../../companies/auth/viewer.js';
import { PublicUrl } from '../../../companies/files/signed-links.js';
import { MembersService } from '../../../companies/members/members.service.js';
import { Database } from '../../../platform/database/database.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { echoOf } from '../../http/secret-echo.js';
import type { Challenge } from '../client/http-link.js';
import { CompanyMcpServers } from '../company-mcp-servers.service.js';
import { type McpServer, McpServerRepository } from '../mcp-server.repository.js';
import { McpGrants, type PendingSignIn, type StoredGrant } from './mcp-grants.service.js';
import {
  beginSignIn,
  type ClientAddresses,
  clientMetadataOf,
  finishSignIn,
  type GivenClient,
  issuerOf,
  type Parties,
  signInAsMachine,
  type Tokens,
} from './oauth-flow.js';
import { widerChallenge } from './scopes.js';

/** The time limit at the authorization server. */
export const SIGN_IN_MS = 10 * 60_000;
const BEGIN_MS = 30_000;
const MAX_REASON_CHARACTERS = 300;

export const CALLBACK_PATH = '/auth/mcp/callback';
export const CLIENT_PATH = '/auth/mcp/client.json';

export interface McpSignIn {
  server: McpServer;
  /** The address for the admin's sign-in. Null: not needed. */
  url: string | null;
}

/** The browser of a sign-in. Only the one that began it can finish it. */
export interface SignInSecret {
  serverId: string;
  /** Stored in the browser's cookie. */
  secret: string;
}

interface SignedIn {
  given: GivenClient | null;
  parties: Parties;
  tokens: Tokens;
  challenge: Challenge | undefined;
}

interface Callback {
  state: string;
  code: string | null;
  /** The issuer of the code: RFC 9207. */
  iss?: string | undefined;
  /** The browser's cookie for the server. */
  secretFor(serverId: string): string | null;
}

/** `done`; `declined` at the authorization server; `over`: unknown, used, expired, or another browser's. */
export type SignInOutcome = 'done' | 'declined' | 'over' | 'failed';

/** Signs companies in at their MCP servers, for admins. */
@Injectable()
export class McpSignIns {
  constructor(
    private readonly database: Database,
    private readonly servers: McpServerRepository,
    private readonly companyServers: CompanyMcpServers,
    private readonly grants: McpGrants,
    private readonly publicUrl: PublicUrl,
    private readonly members: MembersService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** The client's metadata for authorization servers. */
  clientDocument() {
    const { documentUrl } = this.addresses;
    const metadata = clientMetadataOf(this.addresses);
    return { client_id: documentUrl, ...metadata, token_endpoint_auth_method: 'none' };
  }

  /**
   * Returns the address to open. `keep` gets the secret that the browser must bring back. A machine is signed in at
   * once. Rejects with NOT_FOUND, BAD_USER_INPUT, or CONFLICT if the server offers no sign-in.
   */
  async begin(viewer: Viewer, given: unknown, keep: (secret: SignInSecret) => void): Promise<McpSignIn> {
    const input = checkInput(SignInInput, given);
    const server = await this.database.read(viewer.companyId, (tx) =>
      this.companyServers.get(tx, input.key, ['input', 'key']),
    );
    const known = this.grants.read(server);
    const client = clientOf(input) ?? known.given;
    const isMachine = input.grant ? input.grant === 'CLIENT_CREDENTIALS' : client?.isMachine;
    if (isMachine && client?.clientSecret === undefined)
      throw badInput(['input', 'clientSecret'], 'Without a person, the server needs an id and a secret.');
    try {
      if (isMachine && client)
        return { server: await this.signInMachine(viewer, server, known, client), url: null };
      return await this.begun(viewer, server, { known, client, keep });
    } catch (error) {
      throw refusalOf(error, client);
    }
  }

  /** Processes the browser's return. A state works once, whatever the outcome. */
  async finish({ state, code, iss, secretFor }: Callback): Promise<SignInOutcome> {
    const [, companyId, serverId] = STATE.exec(state) ?? [];
    const secret = serverId === undefined ? null : secretFor(serverId);
    if (companyId === undefined || serverId === undefined || secret === null) return 'over';
    const begun = await this.database.transaction(companyId, (tx) =>
      this.take(tx, serverId, hashOf(state, secret), code === null),
    );
    if (!begun) return 'over';
    if (code === null) return 'declined';
    const { pending, server } = begun;
    const { redirectUri } = this.addresses;
    const tokens = await finishSignIn(
      pending,
      { code, iss, redirectUri },
      this.grants.fetchWithin(companyId, BEGIN_MS),
    );
    const { discovery, client, given, challenge } = pending;
    const grant = { given, parties: { discovery, client }, tokens, challenge };
    const signedIn = await this.store(pending.memberId, server, grant);
    if (!signedIn) return 'over';
    await this.companyServers.ask(signedIn);
    return 'done';
  }

  private async begun(
    viewer: Viewer,
    server: McpServer,
    {
      known,
      client,
      keep,
    }: { known: StoredGrant; client: GivenClient | null; keep(secret: SignInSecret): void },
  ): Promise<McpSignIn> {
    const state = `${server.companyId}.${server.id}.${randomText()}`;
    const secret = randomText();
    const challenge = widerChallenge(known);
    const { url, ...begun } = await beginSignIn(server.url, {
      challenge,
      given: client,
      addresses: this.addresses,
      state,
      fetchFn: this.grants.fetchWithin(server.companyId, BEGIN_MS),
    });
    const expiresAtMs = this.clock.now().getTime() + SIGN_IN_MS;
    const pending = {
      ...begun,
      given: client,
      challenge,
      hash: hashOf(state, secret),
      memberId: viewer.id,
      expiresAtMs,
    };
    await this.change(server, (tx, held, grant) => this.grants.write(tx, held, { ...grant, pending }));
    keep({ serverId: server.id, secret });
    return { server, url };
  }

  private async signInMachine(
    viewer: Viewer,
    server: McpServer,
    known: StoredGrant,
    client: GivenClient,
  ): Promise<McpServer> {
    const given = { ...client, isMachine: true };
    const challenge = widerChallenge(known);
    const { tokens, ...parties } = await signInAsMachine(server.url, {
      challenge,
      given,
      fetchFn: this.grants.fetchWithin(server.companyId, BEGIN_MS),
    });
    const signedIn = await this.store(viewer.id, server, { given, parties, tokens, challenge });
    if (!signedIn) throw notFound('MCP server');
    return this.companyServers.ask(signedIn);
  }

  /** Ends the sign-in in progress and returns it. Null: none matches. */
  private async take(
    tx: Transaction,
    serverId: string,
    hash: string,
    isDeclined: boolean,
  ): Promise<{ pending: PendingSignIn; server: McpServer } | null> {
    const server = await this.servers.lock(tx, { id: serverId }, 'FOR UPDATE');
    const grant = server && this.grants.read(server);
    if (!server || !grant?.pending || grant.pending.hash !== hash) return null;
    const { pending } = grant;
    if (isDeclined) await this.grants.keepAsGranted(tx, server, grant);
    else await this.grants.write(tx, server, { ...grant, pending: null });
    const member = await this.members.findActive(tx, pending.memberId);
    const mayNot = !member || member.role === 'MEMBER';
    return mayNot || pending.expiresAtMs < this.clock.now().getTime() ? null : { pending, server };
  }

  /** Null: the server was removed, or its address changed. */
  private async store(
    memberId: string,
    server: McpServer,
    { given, parties, tokens, challenge }: SignedIn,
  ): Promise<McpServer | null> {
    const changed = await this.change(server, async (tx, held, grant) => {
      const state = { authorization: 'GRANTED' as const, grantedAt: this.clock.now() };
      const issuer = issuerOf(parties);
      const signedIn: StoredGrant = {
        challenge: challenge ?? grant.challenge,
        given: given && { ...given, issuer },
        parties,
        tokens,
        pending: null,
        renewedUntilMs: 0,
      };
      await this.grants.write(tx, held, signedIn, state);
      await this.audit.record(tx, memberId, 'mcp-server.signed-in', held.key, { at: new URL(issuer).host });
    });
    if (!changed) return null;
    // Many authorization servers end the whole grant when one of its tokens is revoked.
    const { before } = changed;
    const isSameClient =
      before.parties &&
      issuerOf(before.parties) === issuerOf(parties) &&
      before.parties.client.client_id === parties.client.client_id;
    if (!isSameClient) await this.grants.revoke(server.companyId, before);
    return changed.server;
  }

  private change(
    server: McpServer,
    work: (tx: Transaction, held: McpServer, grant: StoredGrant) => Promise<void>,
  ): Promise<{ server: McpServer; before: StoredGrant } | null> {
    return this.database.transaction(server.companyId, async (tx) => {
      const held = await this.servers.lock(tx, { id: server.id }, 'FOR UPDATE');
      if (held?.url !== server.url) return null;
      const before = this.grants.read(held);
      await work(tx, held, before);
      const changed = await this.servers.find(tx, { id: server.id });
      return changed && { server: changed, before };
    });
  }

  private get addresses(): ClientAddresses {
    const base = this.publicUrl.get();
    return { redirectUri: `${base}${CALLBACK_PATH}`, documentUrl: `${base}${CLIENT_PATH}` };
  }
}

const grants = ['AUTHORIZATION_CODE', 'CLIENT_CREDENTIALS'] as const;
export type McpGrantName = (typeof grants)[number];

const ClientText = z
  .string()
  .trim()
  .min(1, 'This must not be empty.')
  .max(2_000, 'This must be at most 2000 characters long.');

const SignInInput = z.object({
  key: z.string(),
  clientId: ClientText.nullish(),
  clientSecret: ClientText.nullish(),
  issuer: ClientText.nullish(),
  grant: z.enum(grants).nullish(),
});

function clientOf({
  clientId,
  clientSecret,
  issuer,
  grant,
}: z.output<typeof SignInInput>): GivenClient | null {
  if (typeof clientId !== 'string') return null;
  return {
    clientId,
    clientSecret: clientSecret ?? undefined,
    issuer: issuer ?? undefined,
    isMachine: grant === 'CLIENT_CREDENTIALS',
  };
}

/** The ids of company and server, and a random part. */
const STATE = /^([\da-f-]{36})\.([\da-f-]{36})\.[\w-]{43}$/;

function randomText(): string {
  return randomBytes(32).toString('base64url');
}

function hashOf(state: string, secret: string): string {
  return hash('sha256', `${state} ${secret}`, 'base64url');
}

/** All errors are the server's, and the admin sees them. */
function refusalOf(error: unknown, client: GivenClient | null): unknown {
  if (error instanceof DomainError || !(error instanceof Error)) return error;
  const said = singleLine(echoOf([client?.clientSecret ?? '']).text(error.message), MAX_REASON_CHARACTERS);
  const code = error instanceof OutboundError ? 'UNAVAILABLE' : 'CONFLICT';
  return new DomainError(code, `Nobody can sign in at this server: ${said}`, {}, { cause: error });
}
