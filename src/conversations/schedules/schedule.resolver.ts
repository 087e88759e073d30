import { Args, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import { type Connection, toConnection, ForwardPageArguments } from '../../common/schema/page.js';
import { ID } from '../../common/schema/fields.js';
import type { Assistant } from '../../companies/assistants/assistant.repository.js';
import { AssistantModel } from '../../companies/assistants/assistant.model.js';
import { AssistantsService } from '../../companies/assistants/assistants.service.js';
import { CurrentViewer, OperationLoaders } from '../../companies/auth/viewer-decorators.js';
import type { Loaders } from '../../companies/auth/graphql-context.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { StartTurnResult } from '../turns/start/start-turn.model.js';
import type { StartTurnOutcome } from '../turns/start/turn-starts.service.js';
import type { Turn } from '../turns/turn.entity.js';
import { TurnModel } from '../turns/turn.model.js';
import { TurnsService } from '../turns/turns.service.js';
import type { Schedule, ScheduleRun } from './schedule.repository.js';
import {
  CreateScheduleInput,
  ScheduleConnection,
  ScheduleModel,
  ScheduleRunConnection,
  ScheduleRunModel,
  SchedulesArguments,
  UpdateScheduleInput,
} from './schedule.model.js';
import { ScheduleStarts } from './schedule-starts.service.js';
import { Schedules } from './schedules.service.js';
import { TEXT_COST } from '../message.model.js';

const scheduleId = { type: () => ID, description: 'The id of the schedule.' };

@Resolver(() => ScheduleModel)
export class ScheduleResolver {
  constructor(
    private readonly schedules: Schedules,
    private readonly starts: ScheduleStarts,
  ) {}

  @Query(() => ScheduleConnection, {
    name: 'schedules',
    description: 'The viewer’s schedules, newest first. Admins can list those of the company.',
  })
  async list(
    @CurrentViewer() viewer: Viewer,
    @Args() { ofCompany, ...page }: SchedulesArguments,
  ): Promise<Connection<Schedule>> {
    return toConnection(await this.schedules.list(viewer, ofCompany ?? false, page));
  }

  @Mutation(() => ScheduleModel, {
    description:
      'Asks a question on behalf of the viewer at certain times. The outcome is sent as a notification. Audited, without the question.',
  })
  createSchedule(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The question, and when to ask it.' }) input: CreateScheduleInput,
  ): Promise<Schedule> {
    return this.schedules.create(viewer, input);
  }

  @Mutation(() => ScheduleModel, { description: 'Changes one of the viewer’s schedules. Audited.' })
  updateSchedule(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The changes.' }) input: UpdateScheduleInput,
  ): Promise<Schedule> {
    return this.schedules.update(viewer, input);
  }

  @Mutation(() => ScheduleModel, {
    description:
      'Pauses or resumes a schedule: one of the viewer’s, or for admins of the company’s. Runs due in between are skipped. Audited.',
  })
  setScheduleActive(
    @CurrentViewer() viewer: Viewer,
    @Args('id', scheduleId) id: string,
    @Args('active', { description: 'True to resume, false to pause.' }) active: boolean,
  ): Promise<Schedule> {
    return this.schedules.setActive(viewer, id, active);
  }

  @Mutation(() => StartTurnResult, {
    description: 'Asks the question of one of the viewer’s schedules now, even if it is paused.',
  })
  runSchedule(
    @CurrentViewer() viewer: Viewer,
    @Args('id', scheduleId) id: string,
  ): Promise<StartTurnOutcome> {
    return this.starts.startNow(viewer, id);
  }

  @Mutation(() => ID, {
    description:
      'Deletes a schedule with its history, and returns its id: one of the viewer’s, or for admins of the company’s. Its turns stay. Audited.',
  })
  deleteSchedule(@CurrentViewer() viewer: Viewer, @Args('id', scheduleId) id: string): Promise<string> {
    return this.schedules.delete(viewer, id);
  }

  @ResolveField(() => String, {
    nullable: true,
    complexity: TEXT_COST,
    description: 'The question. Null if it is another member’s.',
  })
  message(@CurrentViewer() viewer: Viewer, @Parent() { memberId, message }: Schedule): string | null {
    return memberId === viewer.id ? message : null;
  }

  @ResolveField(() => ScheduleRunConnection, {
    description: 'The past runs, newest first.',
  })
  async runs(
    @Parent() schedule: Schedule,
    @Args() page: ForwardPageArguments,
  ): Promise<Connection<ScheduleRun>> {
    return toConnection(await this.schedules.listRuns(schedule, page));
  }
}

@Resolver(() => ScheduleModel)
export class ScheduleLinksResolver {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly turns: TurnsService,
  ) {}

  @ResolveField(() => AssistantModel, { description: 'The assistant that answers.' })
  assistant(
    @OperationLoaders() loaders: Loaders,
    @Parent() { assistantId }: Schedule,
  ): Promise<Assistant | null> {
    return loaders.one(this.assistants, this.assistants.findMany, assistantId);
  }

  @ResolveField(() => TurnModel, {
    nullable: true,
    description:
      'The last turn it started. Null if there is none, or if it was deleted or is another member’s.',
  })
  lastTurn(
    @OperationLoaders() loaders: Loaders,
    @Parent() { lastTurnId }: Schedule,
  ): Promise<Turn | null> | null {
    return lastTurnId === null ? null : loaders.one(this.turns, this.turns.findMany, lastTurnId);
  }
}

@Resolver(() => ScheduleRunModel)
export class ScheduleRunResolver {
  constructor(private readonly turns: TurnsService) {}

  @ResolveField(() => TurnModel, {
    nullable: true,
    description: 'The turn. Null if there is none, or if it was deleted or is another member’s.',
  })
  turn(@OperationLoaders() loaders: Loaders, @Parent() { turnId }: ScheduleRun): Promise<Turn | null> | null {
    return turnId === null ? null : loaders.one(this.turns, this.turns.findMany, turnId);
  }
}
