import { Parent, ResolveField, Resolver } from '@nestjs/graphql';

import type { Loaders } from '../companies/auth/graphql-context.js';
import { OperationLoaders } from '../companies/auth/viewer-decorators.js';
import { listCost } from '../common/schema/cost.js';
import { MessageModel } from '../conversations/message.model.js';
import type { Message } from '../conversations/message.repository.js';
import { TrustedAddresses } from './trusted-addresses.service.js';

@Resolver(() => MessageModel)
export class TrustedAddressesResolver {
  constructor(private readonly addresses: TrustedAddresses) {}

  @ResolveField(() => [String], {
    nullable: true,
    complexity: listCost(5),
    description:
      'The web addresses that the question names, as https and without a fragment, if the turn has read untrusted text. That text may have made the model write any other link or image of the answer, with confidential data in its address: do not load or follow one before the reader has seen the address. Null for questions, and if the turn has read no untrusted text: any address can be trusted.',
  })
  async trustedAddresses(
    @OperationLoaders() loaders: Loaders,
    @Parent() message: Message,
  ): Promise<string[] | null> {
    if (message.turnId === null || message.role !== 'ASSISTANT') return null;
    return loaders.each(this.addresses, this.addresses.listOf, message.turnId);
  }
}
