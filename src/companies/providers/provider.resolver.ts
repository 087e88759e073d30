import { Args, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import { HEAVY_COST } from '../../common/schema/cost.js';
import { ID } from '../../common/schema/fields.js';
import { AtLeast, CurrentViewer } from '../auth/viewer-decorators.js';
import type { Viewer } from '../auth/viewer.js';
import { CompanyProviders, type OfferedModel } from './company-providers.service.js';
import type { Provider } from './provider.entity.js';
import { MAX_PROVIDERS } from './provider-input.js';
import { ProviderModel, OfferedModelModel, ProviderTestModel, SetProviderInput } from './provider.model.js';
import { ProviderSettings, type ProviderTest } from './provider-settings.service.js';

const providerKey = { description: 'The key of the provider.' };

@Resolver(() => ProviderModel)
export class ProviderResolver {
  constructor(
    private readonly settings: ProviderSettings,
    private readonly companyProviders: CompanyProviders,
  ) {}

  @AtLeast('ADMIN')
  @Query(() => [ProviderModel], {
    description: `The providers that the company has added, ordered by key: at most ${MAX_PROVIDERS}. The installation’s own provider, which is the default, is not listed. Admins only.`,
  })
  providers(@CurrentViewer() viewer: Viewer): Promise<Provider[]> {
    return this.settings.list(viewer);
  }

  @AtLeast('ADMIN')
  @Mutation(() => ProviderModel, {
    description:
      'Adds or changes a provider. Assistants use it if their model is key/model. Such turns send nothing to the installation’s provider. CONFLICT if the change removes a model that an assistant uses. Admins only. Audited.',
  })
  setProvider(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The address, and how to call it.' }) input: SetProviderInput,
  ): Promise<Provider> {
    return this.settings.set(viewer, input);
  }

  @AtLeast('ADMIN')
  @Mutation(() => ProviderTestModel, {
    complexity: HEAVY_COST,
    description: 'Asks a model of a provider for one word and returns the outcome. Admins only. Audited.',
  })
  testProvider(
    @CurrentViewer() viewer: Viewer,
    @Args('key', providerKey) key: string,
    @Args('model', {
      type: () => String,
      nullable: true,
      description: 'The provider’s name for the model. Default: the first of its list.',
    })
    model?: string | null,
  ): Promise<ProviderTest> {
    return this.settings.test(viewer, key, model ?? null);
  }

  @AtLeast('ADMIN')
  @Mutation(() => ID, {
    description:
      'Deletes a provider with its API key and quotas, and returns its id. CONFLICT while assistants use its models: extensions.assistants lists their keys. Admins only. Audited.',
  })
  deleteProvider(@CurrentViewer() viewer: Viewer, @Args('key', providerKey) key: string): Promise<string> {
    return this.settings.remove(viewer, key);
  }

  @AtLeast('ADMIN')
  @Mutation(() => ID, {
    deprecationReason: 'Use deleteProvider.',
    description: 'The same as deleteProvider.',
  })
  removeProvider(@CurrentViewer() viewer: Viewer, @Args('key', providerKey) key: string): Promise<string> {
    return this.settings.remove(viewer, key);
  }

  @ResolveField(() => Boolean, { description: 'Whether it is sent a key. The key is never shown.' })
  hasApiKey(@Parent() { apiKey }: Provider): boolean {
    return apiKey !== null;
  }

  @ResolveField(() => [OfferedModelModel], {
    description: 'The models that assistants may use. Empty: all models of the provider.',
  })
  models(@Parent() provider: Provider): OfferedModel[] {
    return this.companyProviders.modelsOf(provider);
  }
}
