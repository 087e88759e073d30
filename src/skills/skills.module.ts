import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { Config } from '../common/config/config.js';
import { AssistantsModule } from '../companies/assistants/assistants.module.js';
import { NodeFinders } from '../companies/auth/node-finders.js';
import { NodesModule } from '../companies/auth/nodes.module.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { DocumentsModule } from '../documents/documents.module.js';
import { MemoryModule } from '../memory/memory.module.js';
import { SearchModule } from '../documents/search-index/search.module.js';
import { TurnsModule } from '../conversations/turns/turns.module.js';
import { AskUserSkill } from './functions/ask-user.skill.js';
import { GetCompanyProfileSkill } from './functions/get-company-profile.skill.js';
import { AnalyzeDocumentSkill } from './functions/documents/analyze-document.skill.js';
import { AwaitedAnalyses } from './functions/documents/awaited-analyses.service.js';
import { RetrieveDocumentsSkill } from './functions/documents/retrieve-documents.skill.js';
import { EarlierMessages, NotedMemories } from './functions/memory/recall-sources.service.js';
import { ForgetMemorySkill } from './functions/memory/forget-memory.skill.js';
import { RecallSkill } from './functions/memory/recall.skill.js';
import { RememberSkill } from './functions/memory/remember.skill.js';
import { UpdateCompanyProfileSkill } from './functions/update-company-profile.skill.js';
import { PageReader } from './functions/web/page-reader.js';
import { ReadWebpageSkill } from './functions/web/read-webpage.skill.js';
import { SearchWebSkill } from './functions/web/search-web.skill.js';
import { FilesModule } from '../companies/files/files.module.js';
import { HttpSkills } from './http/http-skills.service.js';
import { HttpSkillResolver } from './http/http-skill.resolver.js';
import { OpenApiImports } from './http/openapi/openapi-imports.service.js';
import { OpenApiResolver } from './http/openapi/openapi.resolver.js';
import { CompanyMcpConnections } from './mcp/company-mcp-connections.service.js';
import { CompanyMcpServers } from './mcp/company-mcp-servers.service.js';
import { CompanyServerLinks } from './mcp/company-server-links.js';
import { InstalledMcpServers } from './mcp/installed-mcp-servers.service.js';
import { McpServerRepository } from './mcp/mcp-server.repository.js';
import { McpServerResolver } from './mcp/mcp-server.resolver.js';
import { McpToolStore } from './mcp/mcp-tool-store.service.js';
import { McpGrants } from './mcp/oauth/mcp-grants.service.js';
import { McpSignInResolver } from './mcp/oauth/mcp-sign-in.resolver.js';
import { McpSignIns } from './mcp/oauth/mcp-sign-ins.service.js';
import { SignInCookies } from './mcp/oauth/sign-in-cookies.js';
import { PackMaker } from './packs/pack-maker.js';
import { PackResolver } from './packs/pack.resolver.js';
import { UploadedPacks } from './packs/uploaded-packs.service.js';
import { FunctionSkills } from './function-skills.service.js';
import { SkillRecordRepository } from './records/skill-record.repository.js';
import { SkillRecordResolver } from './records/skill-record.resolver.js';
import { SkillRecords } from './records/skill-records.service.js';
import { InstalledSkills, SkillMakers, SkillChanges } from './skill-sources.service.js';
import { InstalledPacks } from './packs/installed-packs.service.js';
import { SkillDefinitions } from './skill-definitions.service.js';
import { SkillRunner } from './skill-runner.service.js';
import { SkillRepository } from './skill.repository.js';
import { SkillResolver } from './skill.resolver.js';
import { SkillAccessResolver } from './skill-access.resolver.js';
import { SkillAccess } from './skill-access.service.js';
import { SkillSwitchesResolver } from './skill-switches.resolver.js';
import { SkillUseResolver } from './skill-use.resolver.js';
import { AskedSkillLookup } from './asked-skill-lookup.service.js';
import { TrustedAddressesResolver } from './trusted-addresses.resolver.js';
import { TrustedAddresses } from './trusted-addresses.service.js';
import { SkillsInUse } from './skills-in-use.service.js';
import { PluginPlatform } from './plugin-platform.service.js';
import { SkillsService } from './skills.service.js';

/** A new function skill is a file in functions/ and a line here. */
const functionSkills = [
  AnalyzeDocumentSkill,
  AskUserSkill,
  ForgetMemorySkill,
  GetCompanyProfileSkill,
  ReadWebpageSkill,
  RecallSkill,
  RememberSkill,
  RetrieveDocumentsSkill,
  SearchWebSkill,
  UpdateCompanyProfileSkill,
];

const packs = [InstalledPacks, PackMaker, PackResolver, UploadedPacks];

const records = [SkillRecordRepository, SkillRecordResolver, SkillRecords];

const httpSkills = [HttpSkillResolver, HttpSkills, OpenApiImports, OpenApiResolver];

const mcpServers = [
  CompanyMcpConnections,
  CompanyMcpServers,
  CompanyServerLinks,
  InstalledMcpServers,
  McpGrants,
  McpServerRepository,
  McpServerResolver,
  McpSignInResolver,
  McpSignIns,
  McpToolStore,
  SignInCookies,
];

function installedSkills({ skills }: Config): InstalledSkills {
  return new InstalledSkills(skills.off);
}

@Module({
  imports: [
    AssistantsModule,
    CompaniesModule,
    ConversationsModule,
    DiscoveryModule,
    DocumentsModule,
    FilesModule,
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
    ...records,
    AskedSkillLookup,
    AwaitedAnalyses,
    EarlierMessages,
    TrustedAddresses,
    TrustedAddressesResolver,
    FunctionSkills,
    { provide: InstalledSkills, useFactory: installedSkills, inject: [Config] },
    NotedMemories,
    PluginPlatform,
    PageReader,
    SkillAccess,
    SkillAccessResolver,
    SkillChanges,
    SkillDefinitions,
    SkillMakers,
    SkillRepository,
    SkillResolver,
    SkillRunner,
    SkillSwitchesResolver,
    SkillUseResolver,
    SkillsInUse,
    SkillsService,
  ],
  exports: [InstalledSkills, McpSignIns, SignInCookies, SkillRunner, SkillsInUse],
})
export class SkillsModule {
  constructor(nodes: NodeFinders, skills: SkillsService, records: SkillRecords) {
    nodes.register('Skill', async (viewer, id) =>
      (await skills.list(viewer)).find((skill) => skill.id === id),
    );
    nodes.register('SkillRecord', (viewer, id) => records.findVersion(viewer, id));
  }
}
