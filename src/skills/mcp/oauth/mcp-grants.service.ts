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
  isOver,
  type Parties,
  refresh,
  revoke,
  signInAsMachine,
  type Tokens,
} from './oauth-flow.js';
import { mayAskFor, lackedBy, readScope, widerChallenge } from './scopes.js';

/** A token that ends sooner is renewed before it is used. */
const MARGIN_MS = 10_000;
/** How long whoever renews the tokens keeps others from it: longer than the request to the authorization server. */
const RENEWAL_MS = 15_000;
const LOOK_AGAIN_MS = 200;
const REVOCATION_MS = 5_000;

/** A sign-in that somebody has begun. */
export interface PendingSignIn extends Parties {
  /** Of the state in the address and of the browser's cookie. */
  hash: string;
  memberId: string;
  /** Null: the installation has registered itself. */
  given: GivenClient | null;
  /** What was asked for. Left out in rows of earlier versions. */
  challenge?: Challenge;
  codeVerifier: string;
  expiresAtMs: number;
}

/** All that is stored of signing in at one server, encrypted. */
export interface StoredGrant {
  challenge: Challenge;
  given: GivenClient | null;
  parties: Parties | null;
  tokens: Tokens | null;
  pending: PendingSignIn | null;
  /** Until when some process renews the tokens. Milliseconds since 1970. */
  renewedUntilMs: number;
  /** Scopes that calls have lacked: the next sign-in asks for them as well. Left out: none. */
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

/** The tokens by which companies are let in at their servers. Stored encrypted, and renewed by one process at a time. */
@Injectable()
export class McpGrants {
  /** Renewals under way in this process. */
  private readonly renewals = new Map<string, Promise<Tokens>>();

  constructor(
    private readonly database: Database,
    private readonly servers: McpServerRepository,
    private readonly outbound: OutboundHttp,
    private readonly secrets: Secrets,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** What a link sends to the server; `echo` takes that, and `secrets`, out of the answers. */
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
      // Whoever signs in again mends it.
      if (error instanceof UnreadableSecret) return nothing;
      throw error;
    }
  }

  /** What an admin has to know of the sign-in, in words. */
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
    await this.servers.updateGrant(tx, server.id, { ...state, grantSecrets });
  }

  /** After a sign-in that was declined: what there is stays, and what it lacks is asked for anew. `server` must be locked. */
  async keepAsGranted(tx: Transaction, server: McpServer, grant: StoredGrant): Promise<void> {
    const { lacking: _lacking, ...kept } = grant;
    const isGranted = server.authorization === 'NEEDED' && grant.tokens !== null;
    await this.write(tx, server, { ...kept, pending: null }, isGranted ? { authorization: 'GRANTED' } : {});
  }

  /** Forgets who signed in; `next`: whether somebody has to. `server` must be locked. Gives what is to be revoked. */
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

  /** For requests to authorization servers, all of them within `ms`. */
  fetchWithin(companyId: string, ms: number): FetchLike {
    return authorizationFetch(this.outbound, companyId, AbortSignal.timeout(ms));
  }

  /** Tokens other than the refused ones, and good for a while; with the scopes that those lack. Rejects with McpFailure. */
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

  /** No transaction is held open while the authorization server is asked: the row says who does it, and until when. */
  private claim(server: McpServer, refusedToken: string | null, lacking: string | null): Promise<Claim> {
    return this.database.transaction(server.companyId, async (tx): Promise<Claim> => {
      const held = await this.servers.lock(tx, server.id);
      const grant = held ? this.read(held) : nothing;
      const { tokens, renewedUntilMs } = grant;
      if (!held || !tokens) throw signInAgain();
      if (tokens.accessToken !== refusedToken && this.isFresh(tokens)) return tokens;
      if (renewedUntilMs > this.nowMs) return 'busy';
      // A person has to agree to wider ones.
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

  /** Tokens with more scopes, for a client that needs no person. The narrower ones stay where there are none. */
  private async widen(server: McpServer, grant: StoredGrant, lacking: string): Promise<Tokens> {
    const challenge = widerChallenge(grant, lacking);
    try {
      const tokens = await this.ask(server, { ...grant, challenge });
      await this.settle(server, grant, { tokens, challenge });
      return tokens;
    } catch (error) {
      await this.settle(server, grant, { tokens: grant.tokens });
      if (!isOver(error)) throw refused(SIGNS_IN_AWAY, error);
      throw await this.database.transaction(server.companyId, async (tx) => {
        const held = await this.servers.lock(tx, server.id);
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
    // RFC 6749, section 5.1: left out where it is the same.
    return { ...renewed, scope: renewed.scope ?? tokens.scope };
  }

  /** Stores what came of a renewal, unless somebody has signed in or out meanwhile; null: the sign-in is over. */
  private async settle(
    server: McpServer,
    asked: StoredGrant,
    found: Pick<StoredGrant, 'tokens'> & Partial<StoredGrant>,
  ): Promise<void> {
    await this.database.transaction(server.companyId, async (tx) => {
      const held = await this.servers.lock(tx, server.id);
      const grant = held ? this.read(held) : nothing;
      if (!held || grant.tokens?.accessToken !== asked.tokens?.accessToken) return;
      const after = { ...grant, ...found, renewedUntilMs: 0 };
      if (found.tokens) return this.write(tx, held, after);
      await this.write(tx, held, after, { authorization: 'EXPIRED' });
      await this.audit.recordSystemChange(tx, 'mcp-server.sign-in-expired', held.key, {});
    });
  }

  /** Has an admin sign in again, and gives what is wrong. `server` must be locked, and somebody signed in. */
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
      const held = await this.servers.lock(tx, server.id);
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

/** There is nothing that the tokens could be renewed by. */
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

/** Binds what is stored of signing in to its server's row. */
export function grantSecretPurpose({ companyId, id }: Pick<McpServer, 'companyId' | 'id'>): string {
  return `${companyId}/mcp-grant/${id}`;
}
