import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { NodeFinders } from '../auth/node-finders.js';
import { NodesModule } from '../auth/nodes.module.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { TurnsModule } from '../turns/turns.module.js';
import { CalculateCarbonFootprintSkill } from './functions/calculate-carbon-footprint.skill.js';
import { GetCompanyProfileSkill } from './functions/get-company-profile.skill.js';
import { UpdateCompanyProfileSkill } from './functions/update-company-profile.skill.js';
import { PageReader } from './functions/web/page-reader.js';
import { ReadWebpageSkill } from './functions/web/read-webpage.skill.js';
import { SearchWebSkill } from './functions/web/search-web.skill.js';
import { SkillArgumentChecks } from './skill-argument-checks.service.js';
import { SkillCatalogue } from './skill-catalogue.js';
import { SkillRunner } from './skill-runner.service.js';
import { SkillRepository } from './skill.repository.js';
import { SkillResolver } from './skill.resolver.js';
import { SkillsService } from './skills.service.js';

/** A new function skill is a file in functions/ and a line here. */
const functionSkills = [
  CalculateCarbonFootprintSkill,
  GetCompanyProfileSkill,
  ReadWebpageSkill,
  SearchWebSkill,
  UpdateCompanyProfileSkill,
];

@Module({
  imports: [CompaniesModule, DiscoveryModule, NodesModule, TurnsModule],
  providers: [
    ...functionSkills,
    PageReader,
    SkillArgumentChecks,
    SkillCatalogue,
    SkillRepository,
    SkillResolver,
    SkillRunner,
    SkillsService,
  ],
  exports: [SkillRunner, SkillsService],
})
export class SkillsModule {
  constructor(nodes: NodeFinders, skills: SkillsService) {
    nodes.register('Skill', async (viewer, id) =>
      (await skills.list(viewer)).find((skill) => skill.id === id),
    );
  }
}
