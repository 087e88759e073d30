import { Module } from '@nestjs/common';

import { AssistantsModule } from '../assistants/assistants.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { ConversationTurnsResolver } from './conversation-turns.resolver.js';
import { LocalRunner } from './local-runner.js';
import { EventRetentionRepository } from './log/event-retention.repository.js';
import { EventRetention } from './log/event-retention.service.js';
import { TurnAnnouncements } from './log/turn-announcements.service.js';
import { TurnEventRepository } from './log/turn-event.repository.js';
import { TurnFeed } from './log/turn-feed.js';
import { TurnLogReader } from './log/turn-log-reader.service.js';
import { TurnLog } from './log/turn-log.service.js';
import { TurnStreams } from './log/turn-streams.service.js';
import { MessageTurnResolver } from './message-turn.resolver.js';
import { SkillCallRepository } from './skill-call.repository.js';
import { TurnClaims } from './turn-claims.service.js';
import { TurnCreation } from './turn-creation.service.js';
import { TurnEnds } from './turn-ends.service.js';
import { TurnLeases } from './turn-leases.service.js';
import { TurnLimitsRepository } from './turn-limits.repository.js';
import { TurnLimits } from './turn-limits.service.js';
import { TurnPartsResolver } from './turn-parts.resolver.js';
import { TurnQueue } from './turn-queue.service.js';
import { TurnRepository } from './turn.repository.js';
import { TurnResolver } from './turn.resolver.js';
import { TurnStarts } from './turn-starts.service.js';
import { TurnsService } from './turns.service.js';

@Module({
  imports: [AssistantsModule, ConversationsModule],
  providers: [
    ConversationTurnsResolver,
    EventRetention,
    EventRetentionRepository,
    LocalRunner,
    MessageTurnResolver,
    SkillCallRepository,
    TurnAnnouncements,
    TurnClaims,
    TurnCreation,
    TurnEnds,
    TurnEventRepository,
    TurnFeed,
    TurnLeases,
    TurnLimits,
    TurnLimitsRepository,
    TurnLog,
    TurnLogReader,
    TurnPartsResolver,
    TurnQueue,
    TurnRepository,
    TurnResolver,
    TurnStarts,
    TurnStreams,
    TurnsService,
  ],
  exports: [LocalRunner, TurnClaims, TurnLeases, TurnStreams, TurnsService],
})
export class TurnsModule {}
