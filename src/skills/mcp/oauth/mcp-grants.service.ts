import type { FetchLike } from '@modelcontextprotocol/client';
import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '@palabre/outbound';

import { Clock } from '../../../common/clock.js';
import { AuditService } from '../../../companies/audit/audit.service.js';
import { Database } from '../../../platform/database/database.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { Secrets, UnreadableSecret } from '../../../platform/secrets.js';
import { type SecretEcho, serverEcho } from '../../http/secret-echo.js';
import type { Challenge, LinkAuthorization } from '../client/http-link.js';
import { McpFailure, noAccess, refused, unreachable } from '../client/mcp-failure.js';
import { type McpServer, McpServerRepository } from '../mcp-server.repository.js';
import {
  authorizationFetch,
  type GivenClient,
  isClientRefused,
  isOver,
  type Parties,
  refresh,
  revoke,
  signInAsMachine,
  type Tokens,
} from './oauth-flow.js';
import { mayAskFor, lackedBy, readScope, widerChallenge } from './scopes.js';

/** A token that expires sooner is renewed before use. */
const MARGIN_MS = 10_000;
/** How long a process may take to renew the tokens, which is longer than the request to the authorization server. */
const RENEWAL_MS = 15_000;
const LOOK_AGAIN_MS = 200;
const REVOCATION_MS = 5_000;

export interface PendingSignIn extends Parties {
  /** The hash of the address's state and the browser's cookie. */
  hash: string;
  memberId: string;
  /** Null: the installation registered itself. */
  given: GivenClient | null;
  /** The requested scopes. Absent in rows of earlier versions. */
  challenge?: Challenge;
  codeVerifier: string;
  expiresAtMs: number;
}

/** The stored state of a sign-in at one server, encrypted. */
export interface StoredGrant {
  challenge: Challenge;
  given: GivenClient | null;
  parties: Parties | null;
  tokens: Tokens | null;
  pending: PendingSignIn | null;
  /** The time limit of a running renewal. Milliseconds since 1970. */
  renewedUntilMs: number;
  /** Scopes that calls lacked. The next sign-in requests them too. Absent: none. */
  lacking?: string | undefined;
}

const nothing: StoredGrant = {
  challenge: {},
  given: null,
  parties: null,
  tokens: null,
  pending: null,
  renewedUntilMs: 0,
};

type Claim = Tokens | 'busy' | McpFailure | { grant: StoredGrant };

/** Companies' tokens for their servers. Stored encrypted, and renewed by one process at a time. */
@Injectable()
export class McpGrants {
  private readonly renewals = new Map<string, Promise<Tokens>>();

  constructor(
    private readonly database: Database,
    private readonly servers: McpServerRepository,
    private readonly outbound: OutboundHttp,
    private readonly secrets: Secrets,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** The authorization of a link. `echo` removes it, and `secrets`, from answers. */
  of(server: McpServer, secrets: readonly string[]): { authorization: LinkAuthorization; echo: SecretEcho } {
    let tokens: Tokens | null = null;
    let echo = serverEcho(secrets);
    const renewed = async (refusedToken: string | null, lacking: string | null = null): Promise<string> => {
      tokens = await this.renew(server, refusedToken, lacking);
      echo = serverEcho([...secrets, tokens.accessToken, tokens.refreshToken ?? '']);
      return tokens.accessToken;
    };
    const hasKey = server.headerNames.some((name) => name.toLowerCase() === 'authorization');
    const authorization: LinkAuthorization = {
      token: async () => {
        if (server.grantedAt === null) return undefined;
        return tokens && this.isFresh(tokens) ? tokens.accessToken : renewed(null);
      },
      renew: async (refusedToken, challenge) => {
        if (refusedToken !== undefined) return renewed(refusedToken);
        if (challenge === null || (hasKey && challenge.resourceMetadataUrl === undefined)) return undefined;
        await this.noteNeed(server, challenge);
        throw noAccess('This server wants somebody to sign in: an admin does so in the list of MCP servers.');
      },
      widen: async (refusedToken, lacking) => {
        const scope = readScope(echo.text(lacking));
        if (scope === null) throw refused('The server refuses this for scopes that cannot be read.');
        return renewed(refusedToken, scope);
      },
    };
    return {
      authorization,
      echo: { text: (text) => echo.text(text), value: (value) => echo.value(value) },
    };
  }

  read(server: McpServer): StoredGrant {
    if (server.grantSecrets === null) return nothing;
    try {
      const text = this.secrets.decrypt(server.grantSecrets, grantSecretPurpose(server));
      return JSON.parse(text) as StoredGrant;
    } catch (error) {
      // A new sign-in repairs it.
      if (error instanceof UnreadableSecret) return nothing;
      throw error;
    }
  }

  /** Notes on the sign-in for admins. */
  notes(server: McpServer): string[] {
    const { lacking, given } = this.read(server);
    if (lacking === undefined) return [];
    const remedy = given?.isMachine
      ? 'let its client have that at the authorization server, and sign in again'
      : 'sign in again, with an account that has it';
    return [`Some of its tools want the scope ${lacking}, which the sign-in does not have: ${remedy}.`];
  }

  /** `server` must be locked. */
  async write(
    tx: Transaction,
    server: McpServer,
    grant: StoredGrant,
    state: Partial<Pick<McpServer, 'authorization' | 'grantedAt'>> = {},
  ): Promise<void> {
    const grantSecrets = this.secrets.encrypt(JSON.stringify(grant), grantSecretPurpose(server));
    await this.servers.update(tx, { id: server.id }, { ...state, grantSecrets });
  }

  /** After a declined sign-in: the tokens stay, and missing scopes are requested again. `server` must be locked. */
  async keepAsGranted(tx: Transaction, server: McpServer, grant: StoredGrant): Promise<void> {
    const { lacking: _lacking, ...kept } = grant;
    const isGranted = server.authorization === 'NEEDED' && grant.tokens !== null;
    await this.write(tx, server, { ...kept, pending: null }, isGranted ? { authorization: 'GRANTED' } : {});
  }

  /** Deletes the sign-in. `next`: whether a new one is needed. `server` must be locked. Returns what to revoke. */
  async forget(tx: Transaction, server: McpServer, next: 'NONE' | 'NEEDED'): Promise<StoredGrant> {
    const before = this.read(server);
    const challenge = next === 'NEEDED' ? before.challenge : {};
    await this.write(tx, server, { ...nothing, challenge }, { authorization: next, grantedAt: null });
    return before;
  }

  /** Tells the authorization server, if it can be reached. */
  async revoke(companyId: string, { parties, tokens }: StoredGrant): Promise<void> {
    if (!parties || !tokens) return;
    await revoke(parties, tokens, this.fetchWithin(companyId, REVOCATION_MS)).catch(() => undefined);
  }

  /** For requests to authorization servers, with `ms` for all together. */
  fetchWithin(companyId: string, ms: number): FetchLike {
    return authorizationFetch(this.outbound, companyId, AbortSignal.timeout(ms));
  }

  /** Tokens other than the refused ones, valid for a while, with the missing scopes. Rejects with McpFailure. */
  private renew(server: McpServer, refusedToken: string | null, lacking: string | null): Promise<Tokens> {
    const key = `${server.id} ${refusedToken} ${lacking}`;
    const renewal =
      this.renewals.get(key) ??
      this.renewNow(server, refusedToken, lacking).finally(() => this.renewals.delete(key));
    this.renewals.set(key, renewal);
    return renewal;
  }

  private async renewNow(
    server: McpServer,
    refusedToken: string | null,
    lacking: string | null,
  ): Promise<Tokens> {
    const signal = AbortSignal.timeout(2 * RENEWAL_MS);
    for (;;) {
      const claim = await this.claim(server, refusedToken, lacking);
      if (claim instanceof McpFailure) throw claim;
      if (claim === 'busy') await this.clock.pause(LOOK_AGAIN_MS, signal);
      else if (!('grant' in claim)) return claim;
      else if (lacking === null) return this.carryOut(server, claim.grant);
      else return this.widen(server, claim.grant, lacking);
    }
  }

  /** No transaction is open during the request to the authorization server. The row has the renewal's time limit. */
  private claim(server: McpServer, refusedToken: string | null, lacking: string | null): Promise<Claim> {
    return this.database.transaction(server.companyId, async (tx): Promise<Claim> => {
      const held = await this.servers.lock(tx, { id: server.id }, 'FOR UPDATE');
      const grant = held ? this.read(held) : nothing;
      const { tokens, renewedUntilMs } = grant;
      if (!held || !tokens) throw signInAgain();
      if (tokens.accessToken !== refusedToken && this.isFresh(tokens)) return tokens;
      if (renewedUntilMs > this.nowMs) return 'busy';
      // Wider scopes need a person's consent.
      const isToBeAsked = lacking === null || (grant.given?.isMachine && mayAskFor(lacking, grant));
      if (!isToBeAsked) return this.noteLack(tx, held, lacking);
      await this.write(tx, held, { ...grant, renewedUntilMs: this.nowMs + RENEWAL_MS });
      return { grant };
    });
  }

  private async carryOut(server: McpServer, grant: StoredGrant): Promise<Tokens> {
    try {
      const tokens = await this.ask(server, grant);
      await this.settle(server, grant, { tokens });
      return tokens;
    } catch (error) {
      if (error === GONE || isOver(error)) {
        await this.settle(server, grant, { tokens: null });
        throw signInAgain(error);
      }
      await this.settle(server, grant, { tokens: grant.tokens });
      throw unreachable(SIGNS_IN_AWAY, error);
    }
  }

  /** Tokens with more scopes, for a client without a person. The narrower ones stay if none are available. */
  private async widen(server: McpServer, grant: StoredGrant, lacking: string): Promise<Tokens> {
    const challenge = widerChallenge(grant, lacking);
    try {
      const tokens = await this.ask(server, { ...grant, challenge });
      await this.settle(server, grant, { tokens, challenge });
      return tokens;
    } catch (error) {
      if (isClientRefused(error)) {
        await this.settle(server, grant, { tokens: null });
        throw signInAgain(error);
      }
      await this.settle(server, grant, { tokens: grant.tokens });
      if (!isOver(error)) throw refused(SIGNS_IN_AWAY, error);
      throw await this.database.transaction(server.companyId, async (tx) => {
        const held = await this.servers.lock(tx, { id: server.id }, 'FOR UPDATE');
        const isSignedIn = held?.url === server.url && held.grantedAt !== null;
        return isSignedIn ? this.noteLack(tx, held, lacking) : signInAgain(error);
      });
    }
  }

  private async ask(
    { companyId, url }: McpServer,
    { challenge, given, parties, tokens }: StoredGrant,
  ): Promise<Tokens> {
    const fetchFn = this.fetchWithin(companyId, RENEWAL_MS - LOOK_AGAIN_MS);
    if (!parties || !tokens) throw GONE;
    const { discovery } = parties;
    if (given?.isMachine)
      return (await signInAsMachine(url, { challenge, given, discovery, fetchFn })).tokens;
    if (tokens.refreshToken === null) throw GONE;
    const renewed = await refresh(parties, tokens.refreshToken, fetchFn);
    // RFC 6749, section 5.1: absent if unchanged.
    return { ...renewed, scope: renewed.scope ?? tokens.scope };
  }

  /** Stores the result of a renewal, unless somebody signed in or out meanwhile. Null: the sign-in is over. */
  private async settle(
    server: McpServer,
    asked: StoredGrant,
    found: Pick<StoredGrant, 'tokens'> & Partial<StoredGrant>,
  ): Promise<void> {
    await this.database.transaction(server.companyId, async (tx) => {
      const held = await this.servers.lock(tx, { id: server.id }, 'FOR UPDATE');
      const grant = held ? this.read(held) : nothing;
      if (!held || grant.tokens?.accessToken !== asked.tokens?.accessToken) return;
      const after = { ...grant, ...found, renewedUntilMs: 0 };
      if (found.tokens) return this.write(tx, held, after);
      await this.write(tx, held, after, { authorization: 'EXPIRED' });
      await this.audit.recordSystemChange(tx, 'mcp-server.sign-in-expired', held.key, {});
    });
  }

  /** Requires a new sign-in by an admin, and returns the reason. `server` must be locked and signed in. */
  private async noteLack(tx: Transaction, server: McpServer, scope: string): Promise<McpFailure> {
    const grant = this.read(server);
    const lacking = lackedBy(grant, scope);
    if (server.authorization !== 'NEEDED' || lacking !== grant.lacking) {
      await this.write(tx, server, { ...grant, lacking }, { authorization: 'NEEDED' });
      await this.audit.recordSystemChange(tx, 'mcp-server.sign-in-too-narrow', server.key, { scope });
    }
    return new McpFailure(
      'REFUSED',
      `The server refuses this (insufficient_scope): the sign-in lacks the scope ${scope}. An admin has to sign in ` +
        'again, in the list of MCP servers.',
      { needsAdmin: true },
    );
  }

  private async noteNeed(server: McpServer, challenge: Challenge): Promise<void> {
    await this.database.transaction(server.companyId, async (tx) => {
      const held = await this.servers.lock(tx, { id: server.id }, 'FOR UPDATE');
      if (!held || held.url !== server.url || held.grantedAt !== null) return;
      const grant = this.read(held);
      if (held.authorization === 'NEEDED' && isSame(grant.challenge, challenge)) return;
      await this.write(tx, held, { ...grant, challenge }, { authorization: 'NEEDED' });
    });
  }

  private isFresh({ expiresAtMs }: Tokens): boolean {
    return expiresAtMs - MARGIN_MS > this.nowMs;
  }

  private get nowMs(): number {
    return this.clock.now().getTime();
  }
}

const SIGNS_IN_AWAY = 'The server that signs people in for this one cannot be reached.';

const GONE = new Error('There is no refresh token.');

function signInAgain(cause?: unknown) {
  return noAccess(
    'The sign-in at this server is over: an admin has to sign in again, in the list of MCP servers.',
    cause,
  );
}

function isSame(one: Challenge, other: Challenge): boolean {
  return one.resourceMetadataUrl === other.resourceMetadataUrl && one.scope === other.scope;
}

/** Binds a stored sign-in to its server's row. */
export function grantSecretPurpose({ companyId, id }: Pick<McpServer, 'companyId' | 'id'>): string {
  return `${companyId}/mcp-grant/${id}`;
}
