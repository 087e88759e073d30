import { Field, InputType, ObjectType } from '@nestjs/graphql';

import { ApiKeyScope, defaultScopes, Role } from '../auth/viewer.js';
import { connectionOf } from '../../common/schema/page.js';
import { Node, Nullable, DateTime, ID } from '../../common/schema/fields.js';

@InputType({ description: 'A new API key for a program.' })
export class CreateApiKeyInput {
  @Field(() => String, {
    description: 'The display name, 1 to 100 characters. The key’s member gets the same name.',
  })
  name!: string;

  @Field(() => Role, {
    nullable: true,
    defaultValue: 'MEMBER',
    description: 'The role of the program: MEMBER or ADMIN.',
  })
  role?: Role | null;

  @Field(() => [ApiKeyScope], {
    nullable: true,
    defaultValue: [...defaultScopes],
    description: 'What it may be used for: at least one. Without ADMIN, nothing is deleted or administered.',
  })
  scopes?: readonly ApiKeyScope[] | null;

  @Nullable(() => DateTime, 'When the key expires. If omitted, only when it is revoked.')
  expiresAt?: Date | null;
}

@ObjectType('ApiKey', {
  implements: () => [Node],
  description: 'The credential of a program, which is a member of its own. The key itself is never shown.',
})
export class ApiKeyModel extends Node {
  @Field(() => ID, {
    description: 'The program’s member. Its conversations and usage belong to this member.',
  })
  memberId!: string;

  @Field(() => String, { description: 'The display name.' })
  name!: string;

  @Field(() => Role, { description: 'The role of the program.' })
  role!: Role;

  @Field(() => [ApiKeyScope], { description: 'What the key may be used for, within its role.' })
  scopes!: ApiKeyScope[];

  @Nullable(() => DateTime, 'When the key expires. Null: only when it is revoked.')
  expiresAt!: Date | null;

  @Nullable(() => DateTime, 'When the key was revoked. Null if it was not.')
  revokedAt!: Date | null;

  @Nullable(
    () => DateTime,
    'When the key’s member or creator was deactivated: the key does not work. Null: it works.',
  )
  pausedAt!: Date | null;

  @Nullable(() => DateTime, 'When the key was last used, to the hour. Null if never.')
  lastUsedAt!: Date | null;

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A new API key. The secret is shown only once and cannot be recovered.' })
export class CreatedApiKey {
  @Field(() => ApiKeyModel, { description: 'The stored record, without the secret.' })
  apiKey!: ApiKeyModel;

  @Field(() => String, { description: 'The key. Send it as a bearer token.' })
  secret!: string;
}

@ObjectType({ description: 'A page of API keys, newest first.' })
export class ApiKeyConnection extends connectionOf(ApiKeyModel, 'ApiKey') {}
