import { Field, InterfaceType } from '@nestjs/graphql';

import { ID } from './scalars.js';

@InterfaceType({ description: 'Anything with an id that can be asked for again by node(id).' })
export abstract class Node {
  @Field(() => ID, { description: 'Unique in the whole installation.' })
  id!: string;
}
