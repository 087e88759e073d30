import { createHash, randomBytes } from 'node:crypto';

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

/** How long people have at the authorization server. */
export const SIGN_IN_MS = 10 * 60_000;
const BEGIN_MS = 30_000;
const MAX_REASON_CHARACTERS = 300;

export const CALLBACK_PATH = '/auth/mcp/callback';
export const CLIENT_PATH = '/auth/mcp/client.json';

export interface McpSignIn {
  server: McpServer;
  /** Where the admin signs in; null: nobody has to. */
  url: string | null;
}

/** A browser that comes back, or begins: only the one that has begun a sign-in can finish it. */
export interface SignInSecret {
  serverId: string;
  /** For the browser's cookie. */
  secret: string;
}

/** What came of a sign-in. */
interface SignedIn {
  given: GivenClient | null;
  parties: Parties;
  tokens: Tokens;
  challenge: Challenge | undefined;
}

interface Callback {
  state: string;
  code: string | null;
  /** Who says that it has given the code: RFC 9207. */
  iss?: string | undefined;
  /** What the browser's cookie for the server holds. */
  secretFor(serverId: string): string | null;
}

/** `done`; `declined`, at the authorization server; `over`: unknown, used, too late, or another browser's. */
export type SignInOutcome = 'done' | 'declined' | 'over' | 'failed';

/** How admins sign their company in at its MCP servers. */
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

  /** Tells what authorization servers read at the client's own address. */
  clientDocument() {
    const { documentUrl } = this.addresses;
    const metadata = clientMetadataOf(this.addresses);
    return { client_id: documentUrl, ...metadata, token_endpoint_auth_method: 'none' };
  }

  /**
   * Gives the address to be opened, and `keep` the secret that the browser has to bring back. A machine is signed in at
   * once. Rejects with NOT_FOUND, BAD_USER_INPUT, or CONFLICT where the server offers no way in.
   */
  async begin(viewer: Viewer, given: unknown, keep: (secret: SignInSecret) => void): Promise<McpSignIn> {
    const input = checkInput(SignInInput, given);
    const server = await this.database.read(viewer.companyId, (tx) =>
      this.companyServers.get(tx, input.key, ['input', 'key']),
    );
    const known = this.grants.read(server);
    const client = clientOf(input) ?? known.given;
    const isMachine = input.grant ? input.grant === 'CLIENT_CREDENTIALS' : client?.isMachine;
    if (isMachine && client?.clientSecret === undefined) {
      throw badInput(['input', 'clientSecret'], 'Without a person, the server needs an id and a secret.');
    }
    try {
      if (isMachine && client) {
        return { server: await this.signInMachine(viewer, server, known, client), url: null };
      }
      return await this.begun(viewer, server, { known, client, keep });
    } catch (error) {
      throw refusalOf(error, client);
    }
  }

  /** Takes what a browser brings back. A state can be used once, whatever comes of it. */
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

  /** The sign-in that was begun, which is so no more; null: there is none that is this one. */
  private async take(
    tx: Transaction,
    serverId: string,
    hash: string,
    isDeclined: boolean,
  ): Promise<{ pending: PendingSignIn; server: McpServer } | null> {
    const server = await this.servers.lock(tx, serverId);
    const grant = server && this.grants.read(server);
    if (!server || !grant?.pending || grant.pending.hash !== hash) return null;
    const { pending } = grant;
    if (isDeclined) await this.grants.keepAsGranted(tx, server, grant);
    else await this.grants.write(tx, server, { ...grant, pending: null });
    const member = await this.members.findActive(tx, pending.memberId);
    const mayNot = !member || member.role === 'MEMBER';
    return mayNot || pending.expiresAtMs < this.clock.now().getTime() ? null : { pending, server };
  }

  /** Null: the server was removed, or stands elsewhere by now. */
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
    // Many authorization servers end all that a client was granted for somebody when one of its tokens is revoked.
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
      const held = await this.servers.lock(tx, server.id);
      if (held?.url !== server.url) return null;
      const before = this.grants.read(held);
      await work(tx, held, before);
      const changed = await this.servers.find(tx, server.id);
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

const ClientText = z.string().trim().min(1, 'This must not be empty.').max(2_000, 'This is too long.');

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

/** Of the company and of its server, and what nobody can guess. */
const STATE = /^([\da-f-]{36})\.([\da-f-]{36})\.[\w-]{43}$/;

function randomText(): string {
  return randomBytes(32).toString('base64url');
}

function hashOf(state: string, secret: string): string {
  return createHash('sha256').update(`${state} ${secret}`).digest('base64url');
}

/** Whatever goes wrong, it is at the server's, and the admin is told. */
function refusalOf(error: unknown, client: GivenClient | null): unknown {
  if (error instanceof DomainError || !(error instanceof Error)) return error;
  const said = singleLine(echoOf([client?.clientSecret ?? '']).text(error.message), MAX_REASON_CHARACTERS);
  const code = error instanceof OutboundError ? 'UNAVAILABLE' : 'CONFLICT';
  return new DomainError(code, `Nobody can sign in at this server: ${said}`, {}, { cause: error });
}
