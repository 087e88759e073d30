import type { AddressInfo } from 'node:net';

import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { parse, stringify } from 'uuid';

import { Clock } from '../../common/clock.js';
import { Config } from '../../common/config/config.js';
import { DomainError, notFound } from '../../common/errors/domain-error.js';
import { Secrets } from '../../platform/secrets.js';

/** The URL at which clients reach this server. With PORT=0 it is unknown until the server listens. */
@Injectable()
export class PublicUrl {
  constructor(
    private readonly config: Config,
    private readonly http: HttpAdapterHost,
  ) {}

  /** Without a slash at the end. */
  get(): string {
    return this.config.publicUrl ?? `http://localhost:${this.port()}`;
  }

  private port(): number {
    const server: { address(): AddressInfo | string | null } = this.http.httpAdapter.getHttpServer();
    const address = server.address();
    if (address !== null && typeof address === 'object') return address.port;
    throw new DomainError('INTERNAL', 'The server does not listen yet.');
  }
}

/** What a link is for. It is valid for nothing else. */
type LinkPurpose = 'files' | 'uploads';

/** What a link refers to: a row of a company, the member who was given the link, and when it expires. */
interface LinkTarget {
  companyId: string;
  id: string;
  memberId: string;
  expiresAt: Date;
}

export const LINK_MS = 15 * 60 * 1000;

const UUID_BYTES = 16;
const TARGET_BYTES = 3 * UUID_BYTES + 4;
const TOKEN_PATTERN = /^([\w-]{70})\.([\w-]{43})$/;

/** The length of the last part of a link. The router must be configured to accept path parts of this length. */
export const LINK_CHARACTERS = 114;

/** Links whose signature is their only authorisation. They are valid for 15 minutes. */
@Injectable()
export class SignedLinks {
  constructor(
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
  ) {}

  /** When a link that is made now expires, in whole seconds, as links store it. */
  nextExpiry(): Date {
    return new Date(Math.floor((this.clock.now().getTime() + LINK_MS) / 1000) * 1000);
  }

  urlOf(purpose: LinkPurpose, { companyId, id, memberId, expiresAt }: LinkTarget): string {
    const bytes = Buffer.alloc(TARGET_BYTES);
    bytes.set(parse(companyId));
    bytes.set(parse(id), UUID_BYTES);
    bytes.set(parse(memberId), 2 * UUID_BYTES);
    bytes.writeUInt32BE(expiresAt.getTime() / 1000, 3 * UUID_BYTES);
    const target = bytes.toString('base64url');
    return `${this.publicUrl.get()}/${purpose}/${target}.${this.secrets.sign(target, `links: ${purpose}`)}`;
  }

  /** The target of a link, by the last part of its URL. Throws NOT_FOUND, also for an expired link. */
  read(purpose: LinkPurpose, token: string): LinkTarget {
    const [, target = '', signature = ''] = TOKEN_PATTERN.exec(token) ?? [];
    if (target === '' || !this.secrets.isSignature(signature, target, `links: ${purpose}`))
      throw notFound('link');
    const bytes = Buffer.from(target, 'base64url');
    const expiresAt = new Date(bytes.readUInt32BE(3 * UUID_BYTES) * 1000);
    if (expiresAt <= this.clock.now()) throw linkExpired();
    return {
      companyId: stringify(bytes.subarray(0, UUID_BYTES)),
      id: stringify(bytes.subarray(UUID_BYTES, 2 * UUID_BYTES)),
      memberId: stringify(bytes.subarray(2 * UUID_BYTES, 3 * UUID_BYTES)),
      expiresAt,
    };
  }
}

/** `expired` tells clients to ask for a new link, which does not help when the target does not exist. */
function linkExpired(): DomainError {
  return new DomainError('NOT_FOUND', 'The link has expired. Ask for a new one.', { expired: true });
}
