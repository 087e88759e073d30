export const roles = ['MEMBER', 'ADMIN', 'OPERATOR'] as const;
export type Role = (typeof roles)[number];

/** Who is asking. Everything about a request that is a tenant's comes from here, never from an argument. */
export interface Viewer {
  /** The member's id. */
  readonly id: string;
  readonly companyId: string;
  readonly role: Role;
  readonly name: string;
  readonly email: string | null;
  /** When the token ends; a socket is closed then. */
  readonly expiresAt: Date | null;
}
