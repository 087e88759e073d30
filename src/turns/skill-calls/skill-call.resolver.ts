import DataLoader from 'dataloader';
import { Parent, ResolveField, Resolver } from '@nestjs/graphql';

import { CurrentViewer, OperationLoaders } from '../../auth/current-viewer.decorator.js';
import { LoaderKey, type Loaders } from '../../auth/graphql-context.js';
import type { Viewer } from '../../auth/viewer.js';
import type { JsonValue } from '../../common/json.js';
import { Json } from '../../common/schema/scalars.js';
import { SkillCallDetails } from './skill-call-details.service.js';
import type { SkillCall } from './skill-call.entity.js';
import { SkillCallModel } from '../turn.model.js';

/** Each may be as large as a megabyte: no more are read at a time. */
const MOST_AT_A_TIME = 10;
const COST = 100;

const detailsOfCalls = new LoaderKey<JsonValue | null>();

@Resolver(() => SkillCallModel)
export class SkillCallResolver {
  constructor(private readonly details: SkillCallDetails) {}

  @ResolveField('details', () => Json, {
    nullable: true,
    complexity: COST,
    description: 'The whole result, where the model was given less; null when it had all of it.',
  })
  listDetails(
    @CurrentViewer() viewer: Viewer,
    @OperationLoaders() loaders: Loaders,
    @Parent() call: SkillCall,
  ): Promise<JsonValue | null> {
    const options = { maxBatchSize: MOST_AT_A_TIME };
    const loader = loaders.of(
      detailsOfCalls,
      () => new DataLoader((ids) => this.details.findMany(viewer, ids), options),
    );
    return loader.load(call.id);
  }
}
