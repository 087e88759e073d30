import { Args, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import { AtLeast, CurrentViewer, OperationLoaders } from '../auth/viewer-decorators.js';
import type { Loaders } from '../auth/graphql-context.js';
import type { Viewer } from '../auth/viewer.js';
import { type Connection, toConnection, ForwardPageArguments } from '../../common/schema/page.js';
import { ID } from '../../common/schema/fields.js';
import type { ApiKey } from './api-key.repository.js';
import { ApiKeyConnection, ApiKeyModel, CreateApiKeyInput, CreatedApiKey } from './api-key.model.js';
import { ApiKeys } from './api-keys.service.js';
import type { Member } from '../members/member.repository.js';
import { MemberModel } from '../members/member.model.js';
import { MembersService } from '../members/members.service.js';

const apiKeyId = { type: () => ID, description: 'The id of the API key.' };

@Resolver(() => ApiKeyModel)
export class ApiKeyResolver {
  constructor(
    private readonly keys: ApiKeys,
    private readonly members: MembersService,
  ) {}

  @AtLeast('ADMIN')
  @Query(() => ApiKeyConnection, {
    description: 'The company’s API keys, newest first, including revoked ones. Admins only.',
  })
  async apiKeys(
    @CurrentViewer() viewer: Viewer,
    @Args() page: ForwardPageArguments,
  ): Promise<Connection<ApiKey>> {
    return toConnection(await this.keys.list(viewer, page));
  }

  @AtLeast('ADMIN')
  @Mutation(() => CreatedApiKey, {
    description:
      'Creates a key for a program, which signs in as a member of its own. Only for admins who are people. Audited.',
  })
  createApiKey(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'Its name, role and scopes.' }) input: CreateApiKeyInput,
  ): Promise<CreatedApiKey> {
    return this.keys.create(viewer, input);
  }

  @AtLeast('ADMIN')
  @Mutation(() => ID, {
    description:
      'Revokes a key for good and returns its id. It cannot be used any more, and its sockets are closed. Its conversations stay. Repeating it has no effect. Only for admins who are people. Audited.',
  })
  async deleteApiKey(@CurrentViewer() viewer: Viewer, @Args('id', apiKeyId) id: string): Promise<string> {
    return (await this.keys.revoke(viewer, id)).id;
  }

  @AtLeast('ADMIN')
  @Mutation(() => ApiKeyModel, {
    deprecationReason: 'Use deleteApiKey.',
    description: 'As deleteApiKey, but returns the key.',
  })
  revokeApiKey(@CurrentViewer() viewer: Viewer, @Args('id', apiKeyId) id: string): Promise<ApiKey> {
    return this.keys.revoke(viewer, id);
  }

  @ResolveField(() => MemberModel, {
    nullable: true,
    description: 'Who created the key. Null if they are gone, or for keys older than this field.',
  })
  async createdBy(
    @OperationLoaders() loaders: Loaders,
    @Parent() { createdBy }: ApiKey,
  ): Promise<Member | null> {
    if (createdBy === null) return null;
    return loaders.one(this.members, this.members.findMany, createdBy);
  }
}
