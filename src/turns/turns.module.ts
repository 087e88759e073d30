import { Module } from '@nestjs/common';

import { AssistantsModule } from '../assistants/assistants.module.js';
import { NodeFinders } from '../auth/node-finders.js';
import { NodesModule } from '../auth/nodes.module.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { DocumentsModule } from '../documents/documents.module.js';
import { MemoryModule } from '../memory/memory.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { ApprovalExpiry } from './approvals/approval-expiry.service.js';
import { ApprovalQuestions } from './approvals/approval-questions.service.js';
import { ApprovalRepository } from './approvals/approval.repository.js';
import { ApprovalResolver } from './approvals/approval.resolver.js';
import { Approvals } from './approvals/approvals.service.js';
import { AskedSkills } from './approvals/asked-skills.js';
import { WaitingTurns } from './approvals/waiting-turns.service.js';
import { ConversationTurnsResolver } from './conversation-turns.resolver.js';
import { ErasureRepository } from './erasure/erasure.repository.js';
import { ForgottenMemories } from './erasure/forgotten-memories.service.js';
import { MemberTurnRepository } from './erasure/member-turn.repository.js';
import { MemberTurns } from './erasure/member-turns.service.js';
import { TraceErasure } from './erasure/trace-erasure.service.js';
import { TraceRepository } from './erasure/trace.repository.js';
import { TurnTraces } from './erasure/turn-traces.service.js';
import { LocalRunner } from './claims/local-runner.js';
import { StepEchoRepository } from './echoes/step-echo.repository.js';
import { EarlierResults } from './skill-calls/earlier-results.service.js';
import { EventRetentionRepository } from './log/retention/event-retention.repository.js';
import { EventRetention } from './log/retention/event-retention.service.js';
import { SkillCallResolver } from './skill-calls/skill-call.resolver.js';
import { TurnAnnouncements } from './log/turn-announcements.service.js';
import { TurnEventRepository } from './log/turn-event.repository.js';
import { TurnFeed } from './log/turn-feed.js';
import { TurnLogReader } from './log/turn-log-reader.service.js';
import { TurnLog } from './log/turn-log.service.js';
import { TurnMetrics } from './log/turn-metrics.service.js';
import { TurnRecords } from './log/turn-records.service.js';
import { TurnStreams } from './log/turn-streams.service.js';
import { MessageTurnResolver } from './message-turn.resolver.js';
import { ModelCallRepository } from './model-calls/model-call.repository.js';
import { ModelCalls } from './model-calls/model-calls.service.js';
import { PromptTextRepository } from './model-calls/prompt-text.repository.js';
import { TurnPromptsResolver } from './model-calls/turn-prompts.resolver.js';
import { SkillCallDetails } from './skill-calls/skill-call-details.service.js';
import { SkillCallRepository } from './skill-calls/skill-call.repository.js';
import { TurnBacklog } from './claims/turn-backlog.service.js';
import { TurnClaims } from './claims/turn-claims.service.js';
import { TurnCreation } from './start/turn-creation.service.js';
import { TurnEnds } from './claims/turn-ends.service.js';
import { TurnHooks } from './turn-hooks.js';
import { TurnLeases } from './claims/turn-leases.service.js';
import { TurnLimitsRepository } from './start/turn-limits.repository.js';
import { TurnLimits } from './start/turn-limits.service.js';
import { TurnPartsResolver } from './turn-parts.resolver.js';
import { TurnQueue } from './claims/turn-queue.service.js';
import { TurnRepository } from './turn.repository.js';
import { TurnResolver } from './turn.resolver.js';
import { TurnStarts } from './start/turn-starts.service.js';
import { TurnStops } from './claims/turn-stops.service.js';
import { TurnSubjects } from './start/turn-subjects.service.js';
import { TurnsService } from './turns.service.js';

@Module({
  imports: [
    AssistantsModule,
    CompaniesModule,
    ConversationsModule,
    DocumentsModule,
    MemoryModule,
    NodesModule,
    UsageModule,
  ],
  providers: [
    ApprovalExpiry,
    ApprovalQuestions,
    ApprovalRepository,
    ApprovalResolver,
    Approvals,
    AskedSkills,
    ConversationTurnsResolver,
    EarlierResults,
    ErasureRepository,
    EventRetention,
    EventRetentionRepository,
    ForgottenMemories,
    LocalRunner,
    MemberTurnRepository,
    MemberTurns,
    MessageTurnResolver,
    ModelCallRepository,
    ModelCalls,
    PromptTextRepository,
    SkillCallDetails,
    SkillCallRepository,
    SkillCallResolver,
    StepEchoRepository,
    TraceErasure,
    TraceRepository,
    TurnAnnouncements,
    TurnClaims,
    TurnCreation,
    TurnEnds,
    TurnEventRepository,
    TurnFeed,
    TurnHooks,
    TurnLeases,
    TurnLimits,
    TurnLimitsRepository,
    TurnLog,
    TurnLogReader,
    TurnPartsResolver,
    TurnPromptsResolver,
    TurnQueue,
    TurnMetrics,
    TurnBacklog,
    TurnRecords,
    TurnRepository,
    TurnResolver,
    TurnStarts,
    TurnStops,
    TurnSubjects,
    TurnStreams,
    TurnTraces,
    TurnsService,
    WaitingTurns,
  ],
  exports: [
    Approvals,
    AskedSkills,
    EarlierResults,
    LocalRunner,
    ModelCalls,
    TurnClaims,
    TurnHooks,
    TurnLeases,
    TurnsService,
  ],
})
export class TurnsModule {
  constructor(nodes: NodeFinders, turns: TurnsService, approvals: Approvals) {
    nodes.register('Turn', (viewer, id) => turns.find(viewer, id));
    nodes.register('Approval', (viewer, id) => approvals.find(viewer, id));
  }
}
