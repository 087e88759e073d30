import { Module } from '@nestjs/common';

import { AssistantsModule } from '../../companies/assistants/assistants.module.js';
import { NodeFinders } from '../../companies/auth/node-finders.js';
import { NodesModule } from '../../companies/auth/nodes.module.js';
import { CompaniesModule } from '../../companies/companies.module.js';
import { FilesModule } from '../../companies/files/files.module.js';
import { NotificationsModule } from '../../companies/notifications/notifications.module.js';
import { ProvidersModule } from '../../companies/providers/providers.module.js';
import { UsageModule } from '../../companies/usage/usage.module.js';
import { DocumentsModule } from '../../documents/documents.module.js';
import { ConversationsModule } from '../conversations.module.js';
import { TurnClaimRepository } from './claims/turn-claim.repository.js';
import { TurnClaims } from './claims/turn-claims.service.js';
import { TurnEnds } from './claims/turn-ends.service.js';
import { TurnLeases } from './claims/turn-leases.service.js';
import { LocalRunner, TurnQueue } from './claims/turn-queue.service.js';
import { WaitingTurns } from './claims/waiting-turns.service.js';
import { ErasureRepository } from './erasure/erasure.repository.js';
import { MemberTurns } from './erasure/member-turns.service.js';
import { TraceErasure } from './erasure/trace-erasure.service.js';
import { TraceRepository } from './erasure/trace.repository.js';
import { UnstoredConversations } from './erasure/unstored-conversations.service.js';
import { TurnTraces } from './erasure/turn-traces.service.js';
import { TurnListRepository } from './list/turn-list.repository.js';
import { TurnListResolver } from './list/turn-list.resolver.js';
import { TurnList } from './list/turn-list.service.js';
import { EventRetention } from './log/event-retention.service.js';
import { TurnAnnouncements } from './log/turn-announcements.service.js';
import { TurnEventRepository } from './log/turn-event.repository.js';
import { TurnCheckpoints } from './log/turn-checkpoints.service.js';
import { TurnFeed } from './log/turn-feed.js';
import { AskedSkills } from './inputs/asked-skills.service.js';
import { InputRequests } from './inputs/input-requests.service.js';
import { inputTypeName, inputTypeNames } from './inputs/pending-input.model.js';
import { PendingInputRepository } from './inputs/pending-input.repository.js';
import { PendingInputResolver, TurnInputsResolver } from './inputs/pending-input.resolver.js';
import { PendingInputs } from './inputs/pending-inputs.service.js';
import { shownInput } from './inputs/shown-input.js';
import { TurnLog } from './log/turn-log.service.js';
import { TurnMetrics } from './log/turn-metrics.service.js';
import { TurnRecords } from './log/turn-records.service.js';
import { TurnStreams } from './log/turn-streams.service.js';
import { ModelCallRepository } from './model-calls/model-call.repository.js';
import { ModelCalls } from './model-calls/model-calls.service.js';
import { PromptTextRepository } from './model-calls/prompt-text.repository.js';
import { StepEchoRepository } from './model-calls/step-echo.repository.js';
import { SkillCallResults } from './skill-call-results.service.js';
import { SkillCallRepository } from './skill-call.repository.js';
import { StartRefusalResolver } from './start/start-refusal.resolver.js';
import { TurnCreation } from './start/turn-creation.service.js';
import { TurnLimits } from './start/turn-limits.service.js';
import { TurnStartsResolver } from './start/turn-starts.resolver.js';
import { TurnStarts } from './start/turn-starts.service.js';
import {
  ConversationTurnsResolver,
  MessageTurnResolver,
  NotificationTurnResolver,
} from './turn-links.resolver.js';
import { TurnAttachments } from './turn-attachments.service.js';
import { TurnNotifications } from './turn-notifications.service.js';
import { SkillCallResolver, TurnErrorResolver, TurnPartsResolver } from './turn-parts.resolver.js';
import { TurnRepository } from './turn.repository.js';
import { TurnResolver } from './turn.resolver.js';
import { TurnsService } from './turns.service.js';

@Module({
  imports: [
    AssistantsModule,
    CompaniesModule,
    ConversationsModule,
    DocumentsModule,
    FilesModule,
    NodesModule,
    NotificationsModule,
    ProvidersModule,
    UsageModule,
  ],
  providers: [
    AskedSkills,
    ConversationTurnsResolver,
    SkillCallResults,
    ErasureRepository,
    EventRetention,
    InputRequests,
    LocalRunner,
    MemberTurns,
    MessageTurnResolver,
    ModelCallRepository,
    ModelCalls,
    NotificationTurnResolver,
    PendingInputRepository,
    PendingInputResolver,
    PendingInputs,
    PromptTextRepository,
    SkillCallRepository,
    SkillCallResolver,
    StartRefusalResolver,
    StepEchoRepository,
    TraceErasure,
    TraceRepository,
    TurnAnnouncements,
    TurnAttachments,
    TurnCheckpoints,
    TurnClaimRepository,
    TurnClaims,
    TurnCreation,
    TurnEnds,
    TurnErrorResolver,
    TurnEventRepository,
    TurnFeed,
    TurnInputsResolver,
    TurnLeases,
    TurnLimits,
    TurnList,
    TurnListRepository,
    TurnListResolver,
    TurnLog,
    TurnPartsResolver,
    TurnQueue,
    TurnMetrics,
    TurnNotifications,
    TurnRecords,
    TurnRepository,
    TurnResolver,
    TurnStarts,
    TurnStartsResolver,
    TurnStreams,
    TurnTraces,
    TurnsService,
    UnstoredConversations,
    WaitingTurns,
  ],
  exports: [
    AskedSkills,
    SkillCallResults,
    LocalRunner,
    ModelCalls,
    PendingInputs,
    TurnCheckpoints,
    TurnClaims,
    TraceErasure,
    TurnAttachments,
    TurnLeases,
    TurnLog,
    TurnStarts,
    TurnsService,
    UnstoredConversations,
  ],
})
export class TurnsModule {
  constructor(nodes: NodeFinders, turns: TurnsService, inputs: PendingInputs) {
    nodes.register('Turn', (viewer, id) => turns.find(viewer, id));
    nodes.register(inputTypeNames, async (viewer, id) => {
      const input = await inputs.find(viewer, id);
      return input && { ...shownInput(input), __typename: inputTypeName(input) };
    });
  }
}
