import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '@palabre/outbound';

import { LocalRunner } from '../../conversations/turns/claims/turn-queue.service.js';
import { Secrets, UnreadableSecret } from '../../platform/secrets.js';
import { ServiceError } from '../skill.js';
import { HttpLink } from './client/http-link.js';
import type { McpServerLink } from './client/mcp-session.js';
import { secretsOfUrl } from '../http/secret-echo.js';
import type { McpServer } from './mcp-server.repository.js';
import { McpGrants } from './oauth/mcp-grants.service.js';

type Owner = Pick<McpServer, 'companyId' | 'id'>;
type Headers = Record<string, string>;

/** Creates links to companies' servers. Their headers are stored encrypted. */
@Injectable()
export class CompanyServerLinks {
  constructor(
    private readonly outbound: OutboundHttp,
    private readonly secrets: Secrets,
    private readonly runner: LocalRunner,
    private readonly grants: McpGrants,
  ) {}

  /** Throws ServiceError when the headers cannot be read. */
  of(server: McpServer): McpServerLink {
    const { companyId: company, key, url, timeoutMs } = server;
    const headers = this.headersOf(server);
    const secrets = [...Object.values(headers), ...secretsOfUrl(new URL(url))];
    const { authorization, echo } = this.grants.of(server, secrets);
    return {
      key,
      held: this.runner.held,
      echo,
      open: () =>
        new HttpLink(this.outbound, { company, url, headers, timeoutMs, isOperators: false, authorization }),
    };
  }

  /** Null: no headers. */
  encrypt(owner: Owner, headers: Headers): string | null {
    return Object.keys(headers).length === 0
      ? null
      : this.secrets.encrypt(JSON.stringify(headers), serverSecretPurpose(owner));
  }

  private headersOf(server: McpServer): Headers {
    if (server.secrets === null) return {};
    try {
      return JSON.parse(this.secrets.decrypt(server.secrets, serverSecretPurpose(server))) as Headers;
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error;
      throw new ServiceError(
        'The headers of this server can no longer be read: an admin must register it again.',
        'NO_ACCESS',
        { cause: error },
      );
    }
  }
}

/** Binds a server's encrypted headers to its row. */
export function serverSecretPurpose({ companyId, id }: Owner): string {
  return `${companyId}/mcp/${id}`;
}
