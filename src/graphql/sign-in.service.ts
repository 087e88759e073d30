import { Injectable } from '@nestjs/common';

import { DomainError, rateLimited } from '../common/errors/domain-error.js';
import { MinuteCounter, bucketOf } from './limits/minute-counter.js';
import { API_KEY_PREFIX, ApiKeys } from '../companies/api-keys/api-keys.service.js';
import { TokenVerifier } from '../companies/auth/token-verifier.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { MembersService } from '../companies/members/members.service.js';
import { type BrowserHeaders, SESSION_TOKEN, SessionCookies } from './sessions/session-cookies.service.js';

export const MAX_FAILED_SIGN_INS_PER_MINUTE = 600;

/** Good tokens are never affected: behind a proxy, one client could lock out all others. */
@Injectable()
export class FailedSignIns {
  private readonly failures = new MinuteCounter(MAX_FAILED_SIGN_INS_PER_MINUTE);

  /** Counts a token that was refused with `refusal`. Rejects with RATE_LIMITED when there were too many. */
  async count(address: string, refusal: DomainError): Promise<void> {
    const retryAfter = await this.failures.count(bucketOf(address));
    if (retryAfter === null) return;
    throw rateLimited(
      `${refusal.message} Too many bad tokens came from this address: come with a good one, or in ${retryAfter} s.`,
      { retryAfter, limit: MAX_FAILED_SIGN_INS_PER_MINUTE },
      { cause: refusal },
    );
  }
}

@Injectable()
export class SignIn {
  constructor(
    private readonly tokens: TokenVerifier,
    private readonly keys: ApiKeys,
    private readonly members: MembersService,
    private readonly failures: FailedSignIns,
    private readonly cookies: SessionCookies,
  ) {}

  /**
   * Null: no `authorization`. Rejects with UNAUTHENTICATED, or RATE_LIMITED after too many failures of `address`.
   * Without `headers`, no session is accepted.
   */
  async viewerOf(authorization: unknown, address: string, headers?: BrowserHeaders): Promise<Viewer | null> {
    if (authorization === undefined || authorization === null || authorization === '') return null;
    try {
      return await this.admit(authorization, headers);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'UNAUTHENTICATED')
        await this.failures.count(address, error);
      throw error;
    }
  }

  /** The member named by a client that may speak for others, else `viewer`. Rejects with FORBIDDEN. */
  async speakingFor(viewer: Viewer, name: string | null): Promise<Viewer> {
    const maySpeak = name !== null && viewer.scopes?.includes('SPEAK_FOR_OTHERS');
    return maySpeak ? this.keys.speakFor(viewer, name) : viewer;
  }

  private async admit(authorization: unknown, headers?: BrowserHeaders): Promise<Viewer> {
    const token =
      typeof authorization === 'string' ? /^Bearer +(\S+) *$/i.exec(authorization)?.[1] : undefined;
    if (!token)
      throw new DomainError(
        'UNAUTHENTICATED',
        'Send the token, or the API key, as Authorization: Bearer <token>.',
      );
    if (token.startsWith(API_KEY_PREFIX)) return this.keys.admit(token);
    if (token === SESSION_TOKEN && headers) return this.members.admit(this.cookies.claimsOf(headers));
    return this.members.admit(await this.tokens.verify(token));
  }
}
