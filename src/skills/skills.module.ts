import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { AssistantsModule } from '../assistants/assistants.module.js';
import { NodeFinders } from '../auth/node-finders.js';
import { NodesModule } from '../auth/nodes.module.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { DocumentsModule } from '../documents/documents.module.js';
import { MemoryContextModule } from '../memory-context/memory-context.module.js';
import { MemoryModule } from '../memory/memory.module.js';
import { SearchModule } from '../search/search.module.js';
import { TurnsModule } from '../turns/turns.module.js';
import { CalculateCarbonFootprintSkill } from './functions/calculate-carbon-footprint.skill.js';
import { GetCompanyProfileSkill } from './functions/get-company-profile.skill.js';
import { AnalyzeDocumentSkill } from './functions/documents/analyze-document.skill.js';
import { AwaitedAnalyses } from './functions/documents/awaited-analyses.service.js';
import { RetrieveDocumentsSkill } from './functions/documents/retrieve-documents.skill.js';
import { EarlierMessages } from './functions/memory/earlier-messages.service.js';
import { ForgetMemorySkill } from './functions/memory/forget-memory.skill.js';
import { NotedMemories } from './functions/memory/noted-memories.service.js';
import { RecallSkill } from './functions/memory/recall.skill.js';
import { RememberSkill } from './functions/memory/remember.skill.js';
import { UpdateCompanyProfileSkill } from './functions/update-company-profile.skill.js';
import { PageReader } from './functions/web/page-reader.js';
import { ReadWebpageSkill } from './functions/web/read-webpage.skill.js';
import { SearchWebSkill } from './functions/web/search-web.skill.js';
import { FilesModule } from '../files/files.module.js';
import { CalculateEsgScoreSkill } from './functions/calculate-esg-score.skill.js';
import { FindGreenFinancingSkill } from './functions/find-green-financing.skill.js';
import { GenerateReportSkill } from './functions/generate-report.skill.js';
import { ReportRenderer } from './functions/report/report-renderer.js';
import { HttpSkillMaker } from './http/http-skill-maker.js';
import { HttpSkillResolver } from './http/http-skill.resolver.js';
import { HttpSkills } from './http/http-skills.service.js';
import { OpenApiImports } from './http/openapi/openapi-imports.service.js';
import { OpenApiResolver } from './http/openapi/openapi.resolver.js';
import { CompanyMcpConnections } from './mcp/companies/company-mcp-connections.service.js';
import { CompanyMcpServers } from './mcp/companies/company-mcp-servers.service.js';
import { CompanyServerLinks } from './mcp/companies/company-server-links.js';
import { InstalledMcpServers } from './mcp/installed/installed-mcp-servers.service.js';
import { McpServerRepository } from './mcp/mcp-server.repository.js';
import { McpServerResolver } from './mcp/mcp-server.resolver.js';
import { McpSkillMaker } from './mcp/mcp-skill-maker.js';
import { McpToolStore } from './mcp/mcp-tool-store.service.js';
import { PackMaker } from './packs/uploads/pack-maker.js';
import { PackResolver } from './packs/pack.resolver.js';
import { UploadedPacks } from './packs/uploads/uploaded-packs.service.js';
import { InstalledSkills } from './installed-skills.service.js';
import { InstalledPacks } from './packs/installed-packs.service.js';
import { SkillAccess } from './skill-access.service.js';
import { SkillChanges } from './skill-changes.service.js';
import { SkillDefinitionRepository } from './definitions/skill-definition.repository.js';
import { SkillDefinitions } from './definitions/skill-definitions.service.js';
import { SkillMakers } from './definitions/skill-maker.js';
import { SkillRunner } from './use/skill-runner.service.js';
import { SkillRepository } from './skill.repository.js';
import { SkillResolver } from './skill.resolver.js';
import { SkillsAskedAbout } from './use/skills-asked-about.service.js';
import { SkillsInUse } from './use/skills-in-use.service.js';
import { SkillsService } from './skills.service.js';

/** A new function skill is a file in functions/ and a line here. */
const functionSkills = [
  AnalyzeDocumentSkill,
  CalculateCarbonFootprintSkill,
  CalculateEsgScoreSkill,
  FindGreenFinancingSkill,
  ForgetMemorySkill,
  GenerateReportSkill,
  GetCompanyProfileSkill,
  ReadWebpageSkill,
  RecallSkill,
  RememberSkill,
  RetrieveDocumentsSkill,
  SearchWebSkill,
  UpdateCompanyProfileSkill,
];

const packs = [InstalledPacks, PackMaker, PackResolver, UploadedPacks];

const httpSkills = [HttpSkillMaker, HttpSkillResolver, HttpSkills, OpenApiImports, OpenApiResolver];

const mcpServers = [
  CompanyMcpConnections,
  CompanyMcpServers,
  CompanyServerLinks,
  InstalledMcpServers,
  McpServerRepository,
  McpServerResolver,
  McpSkillMaker,
  McpToolStore,
];

@Module({
  imports: [
    AssistantsModule,
    CompaniesModule,
    ConversationsModule,
    DiscoveryModule,
    DocumentsModule,
    FilesModule,
    MemoryContextModule,
    MemoryModule,
    NodesModule,
    SearchModule,
    TurnsModule,
  ],
  providers: [
    ...functionSkills,
    ...packs,
    ...httpSkills,
    ...mcpServers,
    AwaitedAnalyses,
    EarlierMessages,
    InstalledSkills,
    NotedMemories,
    PageReader,
    ReportRenderer,
    SkillAccess,
    SkillChanges,
    SkillDefinitionRepository,
    SkillDefinitions,
    SkillMakers,
    SkillRepository,
    SkillResolver,
    SkillRunner,
    SkillsAskedAbout,
    SkillsInUse,
    SkillsService,
  ],
  exports: [InstalledSkills, SkillRunner, SkillsInUse],
})
export class SkillsModule {
  constructor(nodes: NodeFinders, skills: SkillsService) {
    nodes.register('Skill', async (viewer, id) =>
      (await skills.list(viewer)).find((skill) => skill.id === id),
    );
  }
}
