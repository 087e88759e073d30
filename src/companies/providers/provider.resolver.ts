import { Args, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import { MAX_COST } from '../../common/schema/cost.js';
import { ID } from '../../common/schema/fields.js';
import { AtLeast, CurrentViewer } from '../auth/viewer-decorators.js';
import type { Viewer } from '../auth/viewer.js';
import { CompanyProviders, type OfferedModel } from './company-providers.service.js';
import type { Provider } from './provider.entity.js';
import { ProviderModel, OfferedModelModel, ProviderTestModel, SetProviderInput } from './provider.model.js';
import { ProviderSettings, type ProviderTest } from './provider-settings.service.js';

/** A test waits for a foreign server. */
const TEST_COST = MAX_COST / 25;

const providerKey = { description: 'The provider’s key.' };

@Resolver(() => ProviderModel)
export class ProviderResolver {
  constructor(
    private readonly settings: ProviderSettings,
    private readonly companyProviders: CompanyProviders,
  ) {}

  @AtLeast('ADMIN')
  @Query(() => [ProviderModel], {
    description:
      'The providers of models that the company has brought, by key; at most 20. The installation’s own, which answers otherwise, is not among them. For admins.',
  })
  providers(@CurrentViewer() viewer: Viewer): Promise<Provider[]> {
    return this.settings.list(viewer);
  }

  @AtLeast('ADMIN')
  @Mutation(() => ProviderModel, {
    description:
      'Adds a provider of models, or changes one. Assistants ask it once their model is key/model; nothing of a turn that does so goes to the installation’s provider. CONFLICT where it would no longer offer what an assistant has. For admins; audited.',
  })
  setProvider(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'Where it is, and how it is asked.' }) input: SetProviderInput,
  ): Promise<Provider> {
    return this.settings.set(viewer, input);
  }

  @AtLeast('ADMIN')
  @Mutation(() => ProviderTestModel, {
    complexity: TEST_COST,
    description: 'Asks a model of a provider for one word, and tells what came of it. For admins; audited.',
  })
  testProvider(
    @CurrentViewer() viewer: Viewer,
    @Args('key', providerKey) key: string,
    @Args('model', {
      type: () => String,
      nullable: true,
      description: 'What the provider calls it; left out: the first of its list.',
    })
    model?: string | null,
  ): Promise<ProviderTest> {
    return this.settings.test(viewer, key, model ?? null);
  }

  @AtLeast('ADMIN')
  @Mutation(() => ID, {
    description:
      'Deletes a provider, with its key and the quotas for it, and gives its id. CONFLICT while assistants have a model of its: extensions.assistants are their keys. For admins; audited.',
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

  @ResolveField(() => Boolean, { description: 'Whether it is sent a key, which is never shown.' })
  hasApiKey(@Parent() { apiKey }: Provider): boolean {
    return apiKey !== null;
  }

  @ResolveField(() => [OfferedModelModel], {
    description: 'The models that assistants may ask it for; empty: whatever it has.',
  })
  models(@Parent() provider: Provider): OfferedModel[] {
    return this.companyProviders.modelsOf(provider);
  }
}
