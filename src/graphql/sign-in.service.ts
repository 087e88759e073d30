import { Injectable } from '@nestjs/common';

import { TokenVerifier } from '../auth/token-verifier.js';
import type { Viewer } from '../auth/viewer.js';
import { DomainError } from '../common/domain-error.js';
import { MembersService } from '../companies/members.service.js';

/** Tells who is asking, on HTTP and on sockets alike. */
@Injectable()
export class SignIn {
  constructor(
    private readonly tokens: TokenVerifier,
    private readonly members: MembersService,
  ) {}

  /** The viewer that `authorization` names. Null: it is not there. Rejects with UNAUTHENTICATED when it is no good. */
  async viewerOf(authorization: unknown): Promise<Viewer | null> {
    if (authorization === undefined || authorization === null || authorization === '') return null;
    const token =
      typeof authorization === 'string' ? /^Bearer +(\S+) *$/i.exec(authorization)?.[1] : undefined;
    if (!token) throw new DomainError('UNAUTHENTICATED', 'Send the token as Authorization: Bearer <token>.');
    return this.members.admit(await this.tokens.verify(token));
  }
}
