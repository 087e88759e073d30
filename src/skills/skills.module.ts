import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { CompaniesModule } from '../companies/companies.module.js';
import { CalculateCarbonFootprintSkill } from './functions/calculate-carbon-footprint.skill.js';
import { GetCompanyProfileSkill } from './functions/get-company-profile.skill.js';
import { UpdateCompanyProfileSkill } from './functions/update-company-profile.skill.js';
import { SkillCatalogue } from './skill-catalogue.js';
import { SkillRunner } from './skill-runner.service.js';
import { SkillRepository } from './skill.repository.js';
import { SkillResolver } from './skill.resolver.js';
import { SkillsService } from './skills.service.js';

/** A new function skill is a file in functions/ and a line here. */
const functionSkills = [CalculateCarbonFootprintSkill, GetCompanyProfileSkill, UpdateCompanyProfileSkill];

@Module({
  imports: [CompaniesModule, DiscoveryModule],
  providers: [...functionSkills, SkillCatalogue, SkillRepository, SkillResolver, SkillRunner, SkillsService],
  exports: [SkillRunner, SkillsService],
})
export class SkillsModule {}
