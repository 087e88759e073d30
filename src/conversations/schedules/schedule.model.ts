import { ArgsType, Field, InputType, ObjectType } from '@nestjs/graphql';

import { connectionOf, ForwardPageArguments } from '../../common/schema/page.js';
import { enumType, Node, Nullable, DateTime, ID } from '../../common/schema/fields.js';
import {
  type MissedRuns as MissedRunsName,
  type PausedReason,
  type RunOutcome,
  type ScheduleStatus as StatusName,
  KEPT_RUNS,
} from './schedule.repository.js';
import { MAX_SCHEDULED_CHARACTERS } from './schedules.service.js';

const MissedRuns = enumType<MissedRunsName>(
  'MissedRuns',
  'What to do about times that passed while no server ran, or by more than ten minutes.',
  { ONCE: 'Run once, for the newest of them.', SKIP: 'Skip them.' },
);

const ScheduleStatus = enumType<StatusName>('ScheduleStatus', 'Whether a schedule is active.', {
  ACTIVE: 'It runs at nextAt.',
  PAUSED: 'It does not run until somebody resumes it.',
  ENDED: 'Its only time has passed.',
});

const SchedulePausedReason = enumType<PausedReason>('SchedulePausedReason', 'Why a schedule is paused.', {
  BY_MEMBER: 'Its member paused it.',
  BY_ADMIN: 'An admin paused it.',
  MEMBER_INACTIVE: 'Its member was deactivated or has left, or their API key has ended.',
  FAILURES: 'Several of its turns failed in a row.',
  REFUSED:
    'It cannot run: its assistant is archived, or its conversation is deleted. The last run says which.',
});

const ScheduleRunOutcome = enumType<RunOutcome>('ScheduleRunOutcome', 'The outcome of a run.', {
  STARTED: 'The question was asked.',
  BUSY: 'Skipped, because the turn of an earlier run had not been answered yet.',
  MISSED: 'Skipped, because no server was running. Of several in a row, only the first is listed.',
  REFUSED: 'It could not be asked: see reason.',
});

@InputType({ isOneOf: true, description: 'When to ask: repeatedly, or once.' })
export class ScheduleWhenInput {
  @Nullable(
    () => String,
    'A cron expression with five fields, such as `0 9 * * MON-FRI`, or one of @hourly, @daily, @weekly, @monthly and @yearly. L, W and # are supported.',
  )
  cron?: string;

  @Nullable(() => DateTime, 'The single time to ask.')
  at?: Date;
}

@InputType({ description: 'A question to ask at certain times.' })
export class CreateScheduleInput {
  @Nullable(
    () => String,
    'The assistant that answers, each time in a new conversation. If omitted, give conversationId.',
  )
  assistantKey?: string | null;

  @Nullable(() => ID, 'One of the viewer’s conversations, used each time. If omitted, a new one each time.')
  conversationId?: string | null;

  @Field(() => String, { description: `The question: at most ${MAX_SCHEDULED_CHARACTERS} characters.` })
  message!: string;

  @Field(() => ScheduleWhenInput, { description: 'The times to ask.' })
  when!: ScheduleWhenInput;

  @Nullable(() => String, 'The time zone of cron, such as Africa/Dakar. Default: the server’s.')
  timeZone?: string | null;

  @Field(() => MissedRuns, {
    nullable: true,
    defaultValue: 'ONCE',
    description: 'What to do about times when no server is running.',
  })
  missedRuns?: MissedRunsName | null;
}

@InputType({ description: 'The changes. Omitted fields stay as they are.' })
export class UpdateScheduleInput {
  @Field(() => ID, { description: 'The id of the schedule.' })
  id!: string;

  @Nullable(() => String, 'A new question.')
  message?: string | null;

  @Nullable(() => ScheduleWhenInput, 'New times. An ended schedule starts again.')
  when?: ScheduleWhenInput | null;

  @Nullable(() => String, 'A new time zone.')
  timeZone?: string | null;

  @Nullable(() => MissedRuns, 'What to do about times when no server is running.')
  missedRuns?: MissedRunsName | null;
}

@ObjectType('ScheduleRun', { description: 'A time when a schedule was due, and the outcome.' })
export class ScheduleRunModel {
  @Field(() => DateTime, { description: 'When it was due.' })
  dueAt!: Date;

  @Field(() => ScheduleRunOutcome, { description: 'The outcome.' })
  outcome!: RunOutcome;

  @Nullable(() => String, 'Why it was refused, for people. Null if it was not.')
  reason!: string | null;

  @Field(() => DateTime, { description: 'When it was recorded.' })
  createdAt!: Date;
}

@ObjectType('Schedule', {
  implements: () => [Node],
  description: 'A question that is asked at certain times on behalf of a member.',
})
export class ScheduleModel extends Node {
  @Field(() => ID, { description: 'The member in whose name it asks.' })
  memberId!: string;

  @Nullable(
    () => ID,
    'The conversation in which it is asked, even if it was deleted. Null: a new one each time.',
  )
  conversationId!: string | null;

  @Nullable(() => String, 'The cron expression. Null if it runs once, at `at`.')
  cron!: string | null;

  @Nullable(() => DateTime, 'The single time at which it runs. Null: see cron.')
  at!: Date | null;

  @Field(() => String, { description: 'The time zone of cron.' })
  timeZone!: string;

  @Field(() => MissedRuns, { description: 'What to do about times when no server is running.' })
  missedRuns!: MissedRunsName;

  @Field(() => ScheduleStatus, { description: 'Whether the schedule is active.' })
  status!: StatusName;

  @Nullable(() => SchedulePausedReason, 'Why it is paused. Null if it is not.')
  pausedReason!: PausedReason | null;

  @Nullable(() => DateTime, 'The next run. Null if the schedule is not active.')
  nextAt!: Date | null;

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of schedules, newest first.' })
export class ScheduleConnection extends connectionOf(ScheduleModel, 'Schedule') {}

@ObjectType({
  description: `A page of runs, newest first. The last ${KEPT_RUNS} runs of each schedule are kept.`,
})
export class ScheduleRunConnection extends connectionOf(ScheduleRunModel, 'ScheduleRun') {}

@ArgsType()
export class SchedulesArguments extends ForwardPageArguments {
  @Nullable(
    () => Boolean,
    'True: the schedules of all members of the company, for admins. Default: the viewer’s own.',
  )
  ofCompany?: boolean | null;
}
