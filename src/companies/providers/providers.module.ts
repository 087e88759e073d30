import { Module } from '@nestjs/common';

import { NodeFinders } from '../auth/node-finders.js';
import { NodesModule } from '../auth/nodes.module.js';
import { CompaniesModule } from '../companies.module.js';
import { ProviderRepository } from './provider.repository.js';
import { ProviderResolver } from './provider.resolver.js';
import { ProviderSettings } from './provider-settings.service.js';
import { CompanyProviders } from './providers.service.js';

@Module({
  imports: [CompaniesModule, NodesModule],
  providers: [CompanyProviders, ProviderRepository, ProviderResolver, ProviderSettings],
  exports: [CompanyProviders],
})
export class ProvidersModule {
  constructor(nodes: NodeFinders, providers: ProviderSettings) {
    nodes.register('Provider', (viewer, id) => providers.find(viewer, id));
  }
}
