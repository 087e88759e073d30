import { Args, Field, Float, Int, ObjectType, Query, Resolver } from '@nestjs/graphql';

import { CurrentViewer } from '../../companies/auth/viewer-decorators.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import {
  DEFAULT_FIRST,
  MAX_FIRST,
  MAX_QUERY_CHARACTERS,
  Searches,
  type ShownPassage,
} from './searches.service.js';
import { ID } from '../../common/schema/fields.js';
import { DocumentModel } from '../document.model.js';

@ObjectType('Passage', {
  description:
    'A place in a document that answers a search: a passage, or up to three that follow each other.',
})
class PassageModel {
  @Field(() => ID, { description: 'Of the passage that answers best.' })
  id!: string;

  @Field(() => DocumentModel, {
    description: 'Where it stands. Of several documents with the same content, the oldest.',
  })
  document!: DocumentModel;

  @Field(() => Int, {
    nullable: true,
    description: 'From 1, of the passage that answers best; null: the document has no pages.',
  })
  page!: number | null;

  @Field(() => [String], { description: 'The headings it stands below, the outermost first.' })
  headings!: string[];

  @Field(() => String, {
    nullable: true,
    description: 'What it is written in, as a BCP 47 tag; null: unknown.',
  })
  language!: string | null;

  @Field(() => String, {
    description: 'What it says, as Markdown; of a table its rows, as lines with points between the cells.',
  })
  text!: string;

  @Field(() => Float, {
    description: 'How much it bears on the query, 0 to 1; never more than of the one before it.',
  })
  score!: number;
}

@Resolver(() => PassageModel)
export class DocumentSearchResolver {
  constructor(private readonly searches: Searches) {}

  @Query(() => [PassageModel], {
    description:
      'What the company’s documents say about a question, the best first; empty when they say nothing. Only of documents that are COMPLETED.',
  })
  searchDocuments(
    @CurrentViewer() viewer: Viewer,
    @Args('query', { description: `What is looked for, 1 to ${MAX_QUERY_CHARACTERS} characters.` })
    query: string,
    @Args('first', {
      type: () => Int,
      nullable: true,
      defaultValue: DEFAULT_FIRST,
      description: `How many at most, 1 to ${MAX_FIRST}.`,
    })
    first: number | null,
  ): Promise<ShownPassage[]> {
    return this.searches.find(viewer, { query, first });
  }
}
