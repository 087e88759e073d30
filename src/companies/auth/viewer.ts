import { enumType } from '../../common/schema/fields.js';

// ApiKeyScope and Role are each the GraphQL enum, and the type of its values.

/** What an API key may be used for. No scope includes another one. */
export const apiKeyScopes = ['READ', 'TURNS', 'DOCUMENTS', 'SKILLS', 'ADMIN', 'SPEAK_FOR_OTHERS'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

export const ApiKeyScope = enumType<ApiKeyScope>(
  'ApiKeyScope',
  'What an API key may be used for, within its role. No scope includes another. A scope can read what it can change.',
  {
    READ: 'All queries and subscriptions.',
    TURNS: 'Turns, conversations, memories and approvals, except deleting them.',
    DOCUMENTS: 'Uploading, following and searching documents.',
    SKILLS: 'Adding and configuring skills and MCP servers. Requires the role ADMIN.',
    ADMIN:
      'Deleting, removing and erasing. With the role ADMIN also managing the company: its members, keys, prompts, ' +
      'quotas, webhooks and profile.',
    SPEAK_FOR_OTHERS:
      'Asking for other members of the company, whom the program names as its users. Only in protocols other than ' +
      'GraphQL, and within the key’s own role and other scopes.',
  },
);

export const defaultScopes: readonly ApiKeyScope[] = ['READ', 'TURNS', 'DOCUMENTS'];

export const roles = ['MEMBER', 'ADMIN', 'OPERATOR'] as const;
export type Role = (typeof roles)[number];

export const Role = enumType<Role>('Role', 'What a member may do in the company.', {
  MEMBER: 'Talks to assistants and sees their own conversations.',
  ADMIN: 'Also manages skills, the company and its prompts, and reads the audit.',
  OPERATOR: 'Runs the installation, and is an admin of the company.',
});

/** The signed-in caller. The tenant of a request always comes from here, never from an argument. */
export interface Viewer {
  readonly id: string;
  readonly companyId: string;
  readonly role: Role;
  /** What the API key may be used for, within the role; null for people, whose role alone decides. */
  readonly scopes: readonly ApiKeyScope[] | null;
  readonly name: string;
  readonly email: string | null;
  /** When the token expires. Sockets are closed then. */
  readonly expiresAt: Date | null;
  /** When the browser session began. Absent for tokens and API keys. */
  readonly sessionBegan?: Date;
  /** The API key's member that speaks for this one. Absent: they speak for themselves. */
  readonly spokenForBy?: string;
}
