import type { Type } from '@nestjs/common';
import { Field, ObjectType } from '@nestjs/graphql';

import { encodeCursor, type Page } from './page.js';

@ObjectType({ description: 'Where a page lies in its list.' })
export class PageInfo {
  @Field(() => Boolean, {
    description:
      'Whether there are more items after this page. With before it is true without a look: the item of that cursor ' +
      'may have been deleted or have moved, so the next page may be empty.',
  })
  hasNextPage!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether there are more items before this page. With after it is true without a look: the item of that cursor ' +
      'may have been deleted or have moved, so the page before may be empty.',
  })
  hasPreviousPage!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the first item; null when the page is empty.',
  })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the last item; null when the page is empty.',
  })
  endCursor!: string | null;
}

export interface Edge<Row> {
  cursor: string;
  node: Row;
}

export interface Connection<Row> {
  edges: Edge<Row>[];
  pageInfo: PageInfo;
}

/** The Relay connection type of `model`, to be extended by a class of its own under `name`. */
export const connectionOf = <Model extends object>(
  model: Type<Model>,
  name: string,
): Type<Connection<Model>> => {
  @ObjectType(`${name}Edge`, { description: `One ${name} of a page.` })
  class EdgeModel implements Edge<Model> {
    @Field(() => String, { description: 'Where the item stands in the list: for after and before.' })
    cursor!: string;

    @Field(() => model, { description: 'The item itself.' })
    node!: Model;
  }

  @ObjectType(`${name}Connection`, { description: `A page of ${name} items.` })
  class ConnectionModel implements Connection<Model> {
    @Field(() => [EdgeModel], {
      // The page counts how many there may be.
      complexity: ({ childComplexity }) => 1 + childComplexity,
      description: 'The items of the page, in the list’s order.',
    })
    edges!: Edge<Model>[];

    @Field(() => PageInfo, { description: 'What lies before and after the page.' })
    pageInfo!: PageInfo;
  }

  return ConnectionModel;
};

/** The connection that shows `page`. */
export const toConnection = <Row>({ request, rows, hasMore, keyOf }: Page<Row>): Connection<Row> => {
  const edges = rows.map((node) => ({ cursor: encodeCursor(request.list, keyOf(node)), node }));
  return {
    edges,
    pageInfo: {
      // On the side that it is read towards a page knows. On the side of a cursor Relay's specification leaves it to
      // what the server can tell efficiently: the row that the cursor was taken from is there, unless it was deleted
      // or has moved. To be certain would cost every page but the first another query, for those few who turn round:
      // they find an empty page at worst, where `false` would take the way back from everybody.
      hasNextPage: request.before !== null || (!request.backward && hasMore),
      hasPreviousPage: request.after !== null || (request.backward && hasMore),
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
};
