import { Module } from '@nestjs/common';

import { NodeFinders } from '../auth/node-finders.js';
import { NodesModule } from '../auth/nodes.module.js';
import { CompaniesModule } from '../companies.module.js';
import { CompanyRepository } from '../company.repository.js';
import { CompanyProviders } from './company-providers.service.js';
import { ProviderRepository } from './provider.repository.js';
import { ProviderResolver } from './provider.resolver.js';
import { ProviderSettings } from './provider-settings.service.js';

@Module({
  imports: [CompaniesModule, NodesModule],
  providers: [CompanyProviders, CompanyRepository, ProviderRepository, ProviderResolver, ProviderSettings],
  exports: [CompanyProviders],
})
export class ProvidersModule {
  constructor(nodes: NodeFinders, providers: ProviderRepository) {
    nodes.registerForAdmins('Provider', providers);
  }
}
