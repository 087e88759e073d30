import type { Type } from '@nestjs/common';
import { Field, ObjectType } from '@nestjs/graphql';

import { encodeCursor, type Page } from './page.js';
import { Nullable } from './nullable.js';

@ObjectType({
  description:
    'Where a page lies in its list. It ends at 2 MB, and then has fewer items than were asked for: whether there are more ' +
    'is what hasNextPage says, or, of a page from the end, hasPreviousPage.',
})
class PageInfo {
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

  @Nullable(() => String, 'The cursor of the first item; null when the page is empty.')
  startCursor!: string | null;

  @Nullable(() => String, 'The cursor of the last item; null when the page is empty.')
  endCursor!: string | null;
}

interface Edge<Row> {
  cursor: string;
  node: Row;
}

export interface Connection<Row> {
  edges: Edge<Row>[];
  pageInfo: PageInfo;
}

/** A connection with the estimated size of its rows. */
class ReadConnection<Row> implements Connection<Row> {
  constructor(
    readonly edges: Edge<Row>[],
    readonly pageInfo: PageInfo,
    readonly bytes: number,
  ) {}
}

/** Whether a value was made by `toConnection`. */
export function isConnection(value: unknown): value is ReadConnection<unknown> {
  return value instanceof ReadConnection;
}

/** The Relay connection type of `model`, as a base class for a type called `name`. */
export function connectionOf<Model extends object>(
  model: Type<Model>,
  name: string,
): Type<Connection<Model>> {
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
      // The cost of the field with the page arguments counts the items.
      complexity: ({ childComplexity }) => 1 + childComplexity,
      description: 'The items of the page, in the list’s order.',
    })
    edges!: Edge<Model>[];

    @Field(() => PageInfo, { description: 'What lies before and after the page.' })
    pageInfo!: PageInfo;
  }

  return ConnectionModel;
}

export function toConnection<Row>({ request, rows, bytes, hasMore, keyOf }: Page<Row>): Connection<Row> {
  const edges = rows.map((node) => ({ cursor: encodeCursor(request.list, keyOf(node)), node }));
  return new ReadConnection(
    edges,
    {
      // In the direction of reading the page knows. In the other direction Relay's specification lets the server say
      // what it can tell efficiently: the row of the cursor is there, unless it was deleted or has moved. To be certain
      // would cost every page but the first another query. At worst a client finds an empty page, whereas `false`
      // would keep every client from paging back.
      hasNextPage: request.before !== null || (!request.backward && hasMore),
      hasPreviousPage: request.after !== null || (request.backward && hasMore),
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    bytes,
  );
}
