import { Module } from '@nestjs/common';

import { AssistantsModule } from '../../companies/assistants/assistants.module.js';
import { NodeFinders } from '../../companies/auth/node-finders.js';
import { NodesModule } from '../../companies/auth/nodes.module.js';
import { CompaniesModule } from '../../companies/companies.module.js';
import { EXPORT_PAGE, MemberData, pageById } from '../../companies/members/member-data.js';
import { NotificationsModule } from '../../companies/notifications/notifications.module.js';
import { ConversationsModule } from '../conversations.module.js';
import { TurnsModule } from '../turns/turns.module.js';
import { ScheduleNotes } from './schedule-notes.service.js';
import { ScheduleRepository } from './schedule.repository.js';
import { ScheduleLinksResolver, ScheduleResolver, ScheduleRunResolver } from './schedule.resolver.js';
import { ScheduleRuns } from './schedule-runs.service.js';
import { ScheduleStarts } from './schedule-starts.service.js';
import { Schedules } from './schedules.service.js';

const EXPORTED = [
  ...(['id', 'assistantId', 'conversationId', 'message', 'cron', 'at', 'timeZone', 'missedRuns'] as const),
  ...(['status', 'pausedReason', 'nextAt', 'createdAt'] as const),
];

@Module({
  imports: [
    AssistantsModule,
    CompaniesModule,
    ConversationsModule,
    NodesModule,
    NotificationsModule,
    TurnsModule,
  ],
  providers: [
    ScheduleLinksResolver,
    ScheduleNotes,
    ScheduleRepository,
    ScheduleResolver,
    ScheduleRunResolver,
    ScheduleRuns,
    ScheduleStarts,
    Schedules,
  ],
})
export class SchedulesModule {
  constructor(nodes: NodeFinders, data: MemberData, schedules: Schedules, rows: ScheduleRepository) {
    nodes.register('Schedule', (viewer, id) => schedules.find(viewer, id));
    data.onExport('schedules', async (tx, memberId, after) =>
      pageById(await rows.listAfter(tx, { memberId }, after, EXPORT_PAGE), EXPORTED),
    );
  }
}
