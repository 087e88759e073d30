import type { IncomingHttpHeaders } from 'node:http';

import { Injectable } from '@nestjs/common';
import { z } from 'zod';

import { Config } from '../../common/config/config.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { roles } from '../../companies/auth/viewer.js';
import type { Claims } from '../../companies/auth/token-claims.js';
import { PublicUrl } from '../../companies/files/signed-links.js';
import { Secrets } from '../../platform/secrets.js';

/**
 * The value that the console sends instead of a token, so that its cookie identifies it. Pages of other origins
 * cannot send this header with cookies, because browsers ask the server first, which allows no cookies.
 */
export const SESSION_TOKEN = 'session';

/** Headers of a request, or of the one that opened a socket. */
export type BrowserHeaders = Pick<IncomingHttpHeaders, 'cookie' | 'origin'>;

const expiresAt = z.number();

/** The content of each cookie. `expiresAt`: milliseconds since 1970. */
const contents = {
  session: z.object({
    subject: z.string(),
    companySlug: z.string(),
    role: z.enum(roles),
    name: z.string(),
    email: z.string().nullable(),
    /** Milliseconds since 1970. */
    beganAt: z.number(),
    expiresAt,
  }),
  'sign-in': z.object({
    state: z.string(),
    nonce: z.string(),
    verifier: z.string(),
    /** The requested address in the console. */
    place: z.string(),
    expiresAt,
  }),
};
type Contents = { [Name in keyof typeof contents]: z.infer<(typeof contents)[Name]> };

/**
 * Browser sessions in cookies that only this installation can read or make. A session ends at its time, when its
 * member signs out in any browser, and, like tokens, when the member is deactivated or erased.
 */
@Injectable()
export class SessionCookies {
  constructor(
    private readonly config: Config,
    private readonly publicUrl: PublicUrl,
    private readonly secrets: Secrets,
  ) {}

  /** The session's claims. Throws UNAUTHENTICATED without a session, or for a page of another origin. */
  claimsOf(headers: BrowserHeaders): Claims {
    if (!this.isOwnPage(headers))
      throw new DomainError('UNAUTHENTICATED', 'A session is for pages of this server alone.');
    const session = this.read('session', headers);
    if (!session) throw new DomainError('UNAUTHENTICATED', 'The session is over.');
    const { beganAt, expiresAt, ...person } = session;
    return { ...person, sessionBegan: new Date(beganAt), expiresAt: new Date(expiresAt) };
  }

  /** Browsers send the page's origin with POST and sockets, and pages cannot change it. */
  isOwnPage({ origin }: BrowserHeaders): boolean {
    return origin === new URL(this.publicUrl.get()).origin;
  }

  /** Null: missing, expired, or forged. */
  read<Name extends keyof Contents>(name: Name, { cookie = '' }: BrowserHeaders): Contents[Name] | null {
    const issuer = this.config.oidc?.issuer;
    const prefix = `${this.nameOf(name)}=`;
    const pairs = cookie.split(';').map((pair) => pair.trim());
    const sealed = pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
    if (issuer === undefined || sealed === undefined) return null;
    try {
      const text = this.secrets.decrypt(sealed, aboutOf(name, issuer));
      const content: Contents[keyof Contents] = contents[name].parse(JSON.parse(text));
      return content.expiresAt > Date.now() ? (content as Contents[Name]) : null;
    } catch {
      return null;
    }
  }

  /** The value of a set-cookie header. */
  write<Name extends keyof Contents>(name: Name, content: Contents[Name]): string {
    const sealed = this.secrets.encrypt(
      JSON.stringify(content),
      aboutOf(name, this.config.oidc?.issuer ?? ''),
    );
    return this.cookie(name, sealed, Math.floor((content.expiresAt - Date.now()) / 1000));
  }

  clear(name: keyof Contents): string {
    return this.cookie(name, '', 0);
  }

  private cookie(name: keyof Contents, value: string, seconds: number): string {
    const secure = this.isSecure ? '; Secure' : '';
    return `${this.nameOf(name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
  }

  /** With the prefix, no other host of the domain can set the cookie. */
  private nameOf(name: keyof Contents): string {
    return `${this.isSecure ? '__Host-' : ''}palabre-${name}`;
  }

  private get isSecure(): boolean {
    return this.publicUrl.get().startsWith('https:');
  }
}

function aboutOf(name: keyof Contents, issuer: string): string {
  return `cookie ${name} of ${issuer}`;
}
