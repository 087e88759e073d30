import { Field, ID, InterfaceType } from '@nestjs/graphql';

@InterfaceType({ description: 'Anything with an id that can be asked for again by node(id).' })
export abstract class Node {
  @Field(() => ID, { description: 'Unique in the whole installation.' })
  id!: string;
}
