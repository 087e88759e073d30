import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

import { Config } from '../../common/config/config.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { readClaims } from '../../companies/auth/token-claims.js';
import { sendError } from '../../companies/files/http-error.js';
import { PublicUrl } from '../../companies/files/signed-links.js';
import { MembersService } from '../../companies/members/members.service.js';
import { UsageLimits } from '../limits/usage-limits.service.js';
import { IdentityProvider, type SignInChecks } from './identity-provider.service.js';
import { type BrowserHeaders, SESSION_TOKEN, SessionCookies } from './session-cookies.service.js';

/** The time limit at the provider. */
const SIGN_IN_MS = 10 * 60_000;

/** Stored in the sign-in's cookie, and browsers limit cookies. */
const MAX_PLACE_CHARACTERS = 1_000;

const Asked = z.object({ to: z.string().max(MAX_PLACE_CHARACTERS).optional().catch(undefined) });

/** Messages of the console: `denied`, this person has no access; `failed`, they may retry. */
type Problem = 'denied' | 'failed';

/**
 * Signs people in and out of the console by the installation's identity provider. Browser routes always end on a page
 * of the console, even after errors.
 */
@Injectable()
export class BrowserSignIn implements OnModuleInit {
  constructor(
    private readonly http: HttpAdapterHost,
    private readonly config: Config,
    private readonly publicUrl: PublicUrl,
    private readonly provider: IdentityProvider,
    private readonly cookies: SessionCookies,
    private readonly members: MembersService,
    private readonly limits: UsageLimits,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    if (!this.config.oidc) return;
    const fastify = this.http.httpAdapter.getInstance<FastifyInstance>();
    fastify.get('/auth/sign-in', (request, reply) => this.begin(request, reply));
    fastify.get('/auth/callback', (request, reply) => this.finish(request, reply));
    fastify.post('/auth/sign-out', (request, reply) => this.signOut(request, reply));
  }

  /** Data for the console's page. Null: people sign in by tokens only. */
  forPage(headers: BrowserHeaders): { organisation: string; hasSession: boolean } | null {
    if (!this.config.oidc) return null;
    const { organisation } = this.config.oidc;
    return { organisation, hasSession: this.cookies.read('session', headers) !== null };
  }

  private async begin(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const place = this.placeAt(Asked.parse(request.query).to ?? '');
    try {
      await this.limits.countAnonymousOperation(request.ip);
      const { url, checks } = await this.provider.begin(this.callbackUrl);
      const expiresAt = Date.now() + SIGN_IN_MS;
      void reply.header('set-cookie', this.cookies.write('sign-in', { ...checks, place, expiresAt }));
      return leave(reply, url.href);
    } catch (error) {
      return this.fail(reply, place, error);
    }
  }

  private async finish(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const begun = this.cookies.read('sign-in', request.headers);
    const place = begun?.place ?? this.placeAt('');
    void reply.header('set-cookie', this.cookies.clear('sign-in'));
    try {
      await this.limits.countAnonymousOperation(request.ip);
      if (!begun) throw new Error('No sign-in of this browser is under way, or it took too long.');
      void reply.header('set-cookie', await this.openSession(request, begun));
      return leave(reply, place);
    } catch (error) {
      return this.fail(reply, place, error);
    }
  }

  /** The cookie of a new session. Rejects with UNAUTHENTICATED for people without access. */
  private async openSession({ url }: FastifyRequest, checks: SignInChecks): Promise<string> {
    // With the path that a proxy may have removed.
    const callback = new URL(this.callbackUrl);
    callback.search = new URL(url, callback).search;
    const said = await this.provider.claimsOf(callback, checks);
    const { claims: names, maxTokenSeconds } = this.config.auth;
    const beganAt = Date.now();
    const expiresAt = beganAt + maxTokenSeconds * 1000;
    const read = readClaims({ ...said, exp: Math.floor(expiresAt / 1000) }, names);
    if (Array.isArray(read))
      throw new DomainError('UNAUTHENTICATED', `Claims are absent or not usable: ${read.join(', ')}.`);
    const { subject, companySlug, role, name, email } = read;
    const person = { subject, companySlug, role, name, email };
    await this.members.admit({ ...person, expiresAt: new Date(expiresAt) });
    return this.cookies.write('session', { ...person, beganAt, expiresAt });
  }

  /** Ends the member's sessions, and answers with the provider's sign-out page, which the console opens. */
  private async signOut({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (headers.authorization !== `Bearer ${SESSION_TOKEN}` || !this.cookies.isOwnPage(headers))
      return reply.code(403).send({ url: null });
    try {
      await this.members.endSessions(await this.members.admit(this.cookies.claimsOf(headers)));
    } catch (error) {
      // Without access there is no session to end.
      if (!isDenied(error)) {
        sendError(reply, error, this.logger);
        return reply;
      }
    }
    const url = await this.provider.signOutUrl(this.placeAt('')).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'identity provider not reached');
      return null;
    });
    return reply
      .headers({ 'set-cookie': this.cookies.clear('session'), 'cache-control': 'no-store' })
      .send({ url: url?.href ?? null });
  }

  private fail(reply: FastifyReply, place: string, error: unknown): FastifyReply {
    this.logger.warn({ err: error }, 'sign-in by the identity provider failed');
    const problem: Problem = isDenied(error) ? 'denied' : 'failed';
    return leave(reply, `${place}#sign-in=${problem}`);
  }

  /** An address of the console: `to` if it leads there, else the first page. */
  private placeAt(to: string): string {
    const home = `${this.publicUrl.get()}/`;
    const { href } = URL.parse(to, home) ?? new URL(home);
    return href.startsWith(home) && !href.includes('#') ? href : home;
  }

  private get callbackUrl(): string {
    return `${this.publicUrl.get()}/auth/callback`;
  }
}

function isDenied(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'UNAUTHENTICATED';
}

function leave(reply: FastifyReply, url: string): FastifyReply {
  return reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).redirect(url);
}
