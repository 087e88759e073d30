import type { AddressInfo } from 'node:net';

import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import { DomainError } from '../common/errors/domain-error.js';
import { Config } from '../config/config.js';

/** Where clients reach this server. With PORT=0 nobody knows before it listens, so whoever needs it asks each time. */
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
