import { Injectable } from '@nestjs/common';
import { parse, stringify } from 'uuid';

import { Clock } from '../../common/clock.js';
import { DomainError, notFound } from '../../common/errors/domain-error.js';
import { Secrets } from '../../secrets/secrets.js';
import { PublicUrl } from '../public-url.js';

/** What a link is for; it is good for nothing else. */
export type LinkPurpose = 'files' | 'uploads';

/** A row of a company, and until when the link leads there. */
export interface LinkTarget {
  companyId: string;
  id: string;
  expiresAt: Date;
}

export const LINK_MS = 15 * 60 * 1000;

const UUID_BYTES = 16;
const TARGET_BYTES = 2 * UUID_BYTES + 4;
const FORM = /^([\w-]{48})\.([\w-]{43})$/;

/** Addresses whose signature is all the right that their bearer needs, for a quarter of an hour. */
@Injectable()
export class SignedLinks {
  constructor(
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
  ) {}

  /** When a link that is made now ends: in whole seconds, as it is written into it. */
  nextExpiry(): Date {
    return new Date(Math.floor((this.clock.now().getTime() + LINK_MS) / 1000) * 1000);
  }

  urlOf(purpose: LinkPurpose, { companyId, id, expiresAt }: LinkTarget): string {
    const bytes = Buffer.alloc(TARGET_BYTES);
    bytes.set(parse(companyId));
    bytes.set(parse(id), UUID_BYTES);
    bytes.writeUInt32BE(expiresAt.getTime() / 1000, 2 * UUID_BYTES);
    const target = bytes.toString('base64url');
    return `${this.publicUrl.get()}/${purpose}/${target}.${this.secrets.sign(target, `links: ${purpose}`)}`;
  }

  /** What the last part of such an address leads to. Rejects with NOT_FOUND, also when it has expired. */
  read(purpose: LinkPurpose, token: string): LinkTarget {
    const [, target = '', signature = ''] = FORM.exec(token) ?? [];
    if (target === '' || !this.secrets.isSignature(signature, target, `links: ${purpose}`)) {
      throw notFound('link');
    }
    const bytes = Buffer.from(target, 'base64url');
    const expiresAt = new Date(bytes.readUInt32BE(2 * UUID_BYTES) * 1000);
    if (expiresAt <= this.clock.now()) throw linkExpired();
    return {
      companyId: stringify(bytes.subarray(0, UUID_BYTES)),
      id: stringify(bytes.subarray(UUID_BYTES, 2 * UUID_BYTES)),
      expiresAt,
    };
  }
}

/** It is worth asking for another one, unlike for what does not exist. */
const linkExpired = (): DomainError =>
  new DomainError('NOT_FOUND', 'The link has expired. Ask for a new one.', { expired: true });
