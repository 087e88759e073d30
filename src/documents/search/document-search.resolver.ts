import { Args, Int, Query, Resolver } from '@nestjs/graphql';

import { CurrentViewer } from '../../companies/auth/current-viewer.decorator.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { PassageModel } from './passage.model.js';
import {
  DEFAULT_FIRST,
  MAX_FIRST,
  MAX_QUERY_CHARACTERS,
  Searches,
  type ShownPassage,
} from './searches.service.js';

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
