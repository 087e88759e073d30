import { Parent, ResolveField, Resolver } from '@nestjs/graphql';

import { refusalMessage } from './start-refusal.js';
import { Refusal } from './start-turn.model.js';
import type { StartRefusal } from './turn-starts.service.js';

@Resolver(() => Refusal)
export class StartRefusalResolver {
  @ResolveField('message')
  message(@Parent() refusal: StartRefusal): string {
    return refusalMessage(refusal);
  }
}
