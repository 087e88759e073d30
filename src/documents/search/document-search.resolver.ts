import { Args, Field, Float, Int, ObjectType, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

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
import { missingFromOne } from './missing-words.js';
import { DocumentModel } from '../document.model.js';

@ObjectType('Passage', {
  description: 'A search result: one passage of a document, or up to three consecutive ones.',
})
class PassageModel {
  @Field(() => ID, { description: 'The id of the best matching passage.' })
  id!: string;

  @Field(() => DocumentModel, {
    description: 'The document it is from. If several documents have the same content, the oldest.',
  })
  document!: DocumentModel;

  @Field(() => Int, {
    nullable: true,
    description: 'The page of the best matching passage, from 1. Null if the document has no pages.',
  })
  page!: number | null;

  @Field(() => [String], { description: 'The headings above it, outermost first.' })
  headings!: string[];

  @Field(() => String, {
    nullable: true,
    description: 'The language, as a BCP 47 tag. Null if unknown.',
  })
  language!: string | null;

  @Field(() => String, {
    description: 'The text as Markdown. Table rows are lines with points between the cells.',
  })
  text!: string;

  @Field(() => Float, {
    description: 'The relevance to the query, 0 to 1. Never higher than that of the previous result.',
  })
  score!: number;
}

@Resolver(() => PassageModel)
export class DocumentSearchResolver {
  /** Cached, because aliases may ask for it repeatedly. */
  private readonly missingWords = new WeakMap<ShownPassage, string[]>();

  constructor(private readonly searches: Searches) {}

  @ResolveField(() => [String], {
    description:
      'The first query words that are not in the text, its headings or the document’s name, even inflected or misspelt. The more there are, the likelier it is about something else. Words such as “how” and “the” do not count.',
  })
  missing(@Parent() passage: ShownPassage): string[] {
    const known = this.missingWords.get(passage);
    if (known) return known;
    const missing = missingFromOne(passage, passage.query);
    this.missingWords.set(passage, missing);
    return missing;
  }

  @Query(() => [PassageModel], {
    description:
      'Passages of the company’s documents that answer a question, best first. Empty if there are none. Only COMPLETED documents are searched.',
  })
  searchDocuments(
    @CurrentViewer() viewer: Viewer,
    @Args('query', { description: `The search text: 1 to ${MAX_QUERY_CHARACTERS} characters.` })
    query: string,
    @Args('first', {
      type: () => Int,
      nullable: true,
      defaultValue: DEFAULT_FIRST,
      description: `At most this many results: 1 to ${MAX_FIRST}.`,
    })
    first: number | null,
  ): Promise<ShownPassage[]> {
    return this.searches.find(viewer, { query, first });
  }
}
