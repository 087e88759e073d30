import { Injectable } from '@nestjs/common';

import { PublicUrl } from '../../../companies/files/signed-links.js';
import { SIGN_IN_MS, type SignInSecret } from './mcp-sign-ins.service.js';

/**
 * A cookie for each sign-in at an MCP server. Without it, an attacker could make a victim open the attacker's sign-in
 * address, and use the victim's account for the attacker's company.
 */
@Injectable()
export class SignInCookies {
  constructor(private readonly publicUrl: PublicUrl) {}

  /** The value of a set-cookie header. */
  write({ serverId, secret }: SignInSecret): string {
    const secure = this.isSecure ? '; Secure' : '';
    const seconds = secret === '' ? 0 : SIGN_IN_MS / 1_000;
    return `${this.nameFor(serverId)}=${secret}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
  }

  /** Null: this browser began no sign-in. */
  read(serverId: string, cookies = ''): string | null {
    const prefix = `${this.nameFor(serverId)}=`;
    const pair = cookies.split(/; */).find((each) => each.startsWith(prefix));
    return pair?.slice(prefix.length) ?? null;
  }

  private nameFor(serverId: string): string {
    return `${this.isSecure ? '__Host-' : ''}palabre-mcp-${serverId}`;
  }

  private get isSecure(): boolean {
    return this.publicUrl.get().startsWith('https:');
  }
}
