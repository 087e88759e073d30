/** What an API key may be used for. No scope includes another one. */
export const apiKeyScopes = ['READ', 'TURNS', 'DOCUMENTS', 'SKILLS', 'ADMIN', 'SPEAK_FOR_OTHERS'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

export const defaultScopes: readonly ApiKeyScope[] = ['READ', 'TURNS', 'DOCUMENTS'];

export const roles = ['MEMBER', 'ADMIN', 'OPERATOR'] as const;
export type Role = (typeof roles)[number];

/** The signed-in caller. The tenant of a request always comes from here, never from an argument. */
export interface Viewer {
  /** The member's id. */
  readonly id: string;
  readonly companyId: string;
  readonly role: Role;
  /** What the API key may be used for, within the role; null for people, whose role alone decides. */
  readonly scopes: readonly ApiKeyScope[] | null;
  readonly name: string;
  readonly email: string | null;
  /** When the token expires. Sockets are closed then. */
  readonly expiresAt: Date | null;
  /** When the session in a browser began; left out: it is a token or an API key. */
  readonly sessionBegan?: Date;
  /** The member that an API key is which speaks for this one; left out: they speak for themselves. */
  readonly spokenForBy?: string;
}
