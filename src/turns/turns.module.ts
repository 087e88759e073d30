import { Module } from '@nestjs/common';

import { AssistantsModule } from '../assistants/assistants.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { ConversationTurnsResolver } from './conversation-turns.resolver.js';
import { MessageTurnResolver } from './message-turn.resolver.js';
import { SkillCallRepository } from './skill-call.repository.js';
import { TurnClaims } from './turn-claims.service.js';
import { TurnEnds } from './turn-ends.service.js';
import { TurnEventRepository } from './turn-event.repository.js';
import { TurnFeed } from './turn-feed.js';
import { TurnLog } from './turn-log.service.js';
import { TurnPartsResolver } from './turn-parts.resolver.js';
import { TurnQueue } from './turn-queue.service.js';
import { TurnRepository } from './turn.repository.js';
import { TurnResolver } from './turn.resolver.js';
import { TurnStarts } from './turn-starts.service.js';
import { TurnStreams } from './turn-streams.service.js';
import { TurnsService } from './turns.service.js';

@Module({
  imports: [AssistantsModule, ConversationsModule],
  providers: [
    ConversationTurnsResolver,
    MessageTurnResolver,
    SkillCallRepository,
    TurnClaims,
    TurnEnds,
    TurnEventRepository,
    TurnFeed,
    TurnLog,
    TurnPartsResolver,
    TurnQueue,
    TurnRepository,
    TurnResolver,
    TurnStarts,
    TurnStreams,
    TurnsService,
  ],
  exports: [TurnClaims, TurnStreams, TurnsService],
})
export class TurnsModule {}
