import { Injectable } from '@nestjs/common';

import { API_KEY_PREFIX } from '../auth/api-key.js';
import { TokenVerifier } from '../auth/token-verifier.js';
import type { Viewer } from '../auth/viewer.js';
import { DomainError } from '../common/errors/domain-error.js';
import { ApiKeys } from '../companies/api-keys/api-keys.service.js';
import { MembersService } from '../companies/members/members.service.js';
import { FailedSignIns } from './limits/failed-sign-ins.service.js';

/** Tells who is asking, on every transport alike. */
@Injectable()
export class SignIn {
  constructor(
    private readonly tokens: TokenVerifier,
    private readonly keys: ApiKeys,
    private readonly members: MembersService,
    private readonly failures: FailedSignIns,
  ) {}

  /**
   * The viewer that `authorization` names. Null: it is not there. Rejects with UNAUTHENTICATED when it is no good,
   * and with RATE_LIMITED when too many of the client's `address` were not.
   */
  async viewerOf(authorization: unknown, address: string): Promise<Viewer | null> {
    if (authorization === undefined || authorization === null || authorization === '') return null;
    try {
      return await this.admit(authorization);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'UNAUTHENTICATED') {
        await this.failures.count(address, error);
      }
      throw error;
    }
  }

  private async admit(authorization: unknown): Promise<Viewer> {
    const token =
      typeof authorization === 'string' ? /^Bearer +(\S+) *$/i.exec(authorization)?.[1] : undefined;
    if (!token)
      throw new DomainError(
        'UNAUTHENTICATED',
        'Send the token, or the API key, as Authorization: Bearer <token>.',
      );
    if (token.startsWith(API_KEY_PREFIX)) return this.keys.admit(token);
    return this.members.admit(await this.tokens.verify(token));
  }
}
