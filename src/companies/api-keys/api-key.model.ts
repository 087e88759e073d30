import { Field, InputType, ObjectType } from '@nestjs/graphql';

import { ApiKeyScope, defaultScopes, Role } from '../auth/viewer.js';
import { connectionOf } from '../../common/schema/page.js';
import { Node, Nullable, DateTime, ID } from '../../common/schema/fields.js';

@InputType({ description: 'A key for a program.' })
export class CreateApiKeyInput {
  @Field(() => String, {
    description: 'What people know it by, 1 to 100 characters; its member is called so.',
  })
  name!: string;

  @Field(() => Role, {
    nullable: true,
    defaultValue: 'MEMBER',
    description: 'What the program may do: MEMBER or ADMIN.',
  })
  role?: Role | null;

  @Field(() => [ApiKeyScope], {
    nullable: true,
    defaultValue: [...defaultScopes],
    description: 'What it may be used for, at least one. Nothing is deleted or administered without ADMIN.',
  })
  scopes?: readonly ApiKeyScope[] | null;

  @Nullable(() => DateTime, 'When it ends. Left out: when it is revoked.')
  expiresAt?: Date | null;
}

@ObjectType('ApiKey', {
  implements: () => [Node],
  description: 'What a program signs in with, as a member of its own; never the key itself.',
})
export class ApiKeyModel extends Node {
  @Field(() => ID, {
    description: 'The member that the program is: whose conversations and usage are its own.',
  })
  memberId!: string;

  @Field(() => String, { description: 'What people know it by.' })
  name!: string;

  @Field(() => Role, { description: 'What the program may do.' })
  role!: Role;

  @Field(() => [ApiKeyScope], { description: 'What of that it may be used for.' })
  scopes!: ApiKeyScope[];

  @Nullable(() => DateTime, 'When it ends; null: when it is revoked.')
  expiresAt!: Date | null;

  @Nullable(() => DateTime, 'When it was revoked; null: it was not.')
  revokedAt!: Date | null;

  @Nullable(
    () => DateTime,
    'Since when its member, or who made it, is deactivated: nobody signs in with it; null: it works.',
  )
  pausedAt!: Date | null;

  @Nullable(() => DateTime, 'When it was last used, to the hour; null: never.')
  lastUsedAt!: Date | null;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A new key. It is shown this once, and cannot be had again.' })
export class CreatedApiKey {
  @Field(() => ApiKeyModel, { description: 'What is kept of it.' })
  apiKey!: ApiKeyModel;

  @Field(() => String, { description: 'The key, to be sent as a bearer token.' })
  secret!: string;
}

@ObjectType({ description: 'A page of API keys, newest first.' })
export class ApiKeyConnection extends connectionOf(ApiKeyModel, 'ApiKey') {}
