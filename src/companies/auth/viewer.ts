import { enumType } from '../../common/schema/fields.js';

// ApiKeyScope and Role are each the GraphQL enum, and the type of its values.

/** What an API key may be used for. No scope includes another one. */
export const apiKeyScopes = ['READ', 'TURNS', 'DOCUMENTS', 'SKILLS', 'ADMIN', 'SPEAK_FOR_OTHERS'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

export const ApiKeyScope = enumType<ApiKeyScope>(
  'ApiKeyScope',
  'What an API key may be used for, within its role. None includes another one; what a scope changes, it also reads.',
  {
    READ: 'Everything that queries and subscriptions show.',
    TURNS: 'Turns, conversations, memories and approvals, but for deleting any of them.',
    DOCUMENTS: 'Uploading, following and searching documents.',
    SKILLS: 'Bringing and setting skills and MCP servers; the role has to be ADMIN.',
    ADMIN:
      'Deleting, removing and erasing of any kind; and with the role ADMIN what concerns the whole company: its ' +
      'members, keys, prompts, quotas, webhooks and profile.',
    SPEAK_FOR_OTHERS:
      'Asking for other members of the company, whom a program names that people use through it, in protocols beside ' +
      'GraphQL; within the key’s own role and other scopes.',
  },
);

export const defaultScopes: readonly ApiKeyScope[] = ['READ', 'TURNS', 'DOCUMENTS'];

export const roles = ['MEMBER', 'ADMIN', 'OPERATOR'] as const;
export type Role = (typeof roles)[number];

export const Role = enumType<Role>('Role', 'What somebody may do in their company.', {
  MEMBER: 'Talks to assistants and sees their own conversations.',
  ADMIN: 'Also switches skills, edits the company and its prompts, reads the audit.',
  OPERATOR: 'Runs the installation; may do in the company what an admin may.',
});

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
