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
  'What becomes of times that have passed while no server ran, or by more than ten minutes.',
  { ONCE: 'The newest of them is made up for.', SKIP: 'They are left out.' },
);

const ScheduleStatus = enumType<StatusName>('ScheduleStatus', 'Whether a schedule asks.', {
  ACTIVE: 'It asks at nextAt.',
  PAUSED: 'It does not ask until somebody resumes it.',
  ENDED: 'It was to ask once, and its time is over.',
});

const SchedulePausedReason = enumType<PausedReason>('SchedulePausedReason', 'Why a schedule is paused.', {
  BY_MEMBER: 'Its member has paused it.',
  BY_ADMIN: 'An admin has paused it.',
  MEMBER_INACTIVE: 'Its member was deactivated or has left, or their API key is over.',
  FAILURES: 'Several of its turns in a row have failed.',
  REFUSED: 'It cannot be asked: its assistant is archived or its conversation gone. Its last run says which.',
});

const ScheduleRunOutcome = enumType<RunOutcome>('ScheduleRunOutcome', 'What came of a run.', {
  STARTED: 'The question was asked.',
  BUSY: 'It was left out, as the turn of an earlier run was not answered yet.',
  MISSED: 'It was left out, as no server ran then. Of several in a row, the first is listed.',
  REFUSED: 'It could not be asked: see reason.',
});

@InputType({ isOneOf: true, description: 'When to ask: again and again, or once.' })
export class ScheduleWhenInput {
  @Nullable(
    () => String,
    'A cron expression of five fields, such as `0 9 * * MON-FRI`, or one of @hourly, @daily, @weekly, @monthly and @yearly. L, W and # are taken too.',
  )
  cron?: string;

  @Nullable(() => DateTime, 'The one time to ask at.')
  at?: Date;
}

@InputType({ description: 'A question to be asked at certain times.' })
export class CreateScheduleInput {
  @Nullable(
    () => String,
    'Who is to answer, each time in a new conversation. Left out: give a conversationId.',
  )
  assistantKey?: string | null;

  @Nullable(
    () => ID,
    'A conversation of the viewer’s, in which it is asked each time. Left out: in new ones.',
  )
  conversationId?: string | null;

  @Field(() => String, { description: `The question, at most ${MAX_SCHEDULED_CHARACTERS} characters.` })
  message!: string;

  @Field(() => ScheduleWhenInput, { description: 'When to ask.' })
  when!: ScheduleWhenInput;

  @Nullable(() => String, 'The time zone of cron, such as Africa/Dakar. Left out: the server’s.')
  timeZone?: string | null;

  @Field(() => MissedRuns, {
    nullable: true,
    defaultValue: 'ONCE',
    description: 'What becomes of times at which no server runs.',
  })
  missedRuns?: MissedRunsName | null;
}

@InputType({ description: 'What to change of a schedule; all else stays.' })
export class UpdateScheduleInput {
  @Field(() => ID, { description: 'The schedule’s id.' })
  id!: string;

  @Nullable(() => String, 'Another question.')
  message?: string | null;

  @Nullable(() => ScheduleWhenInput, 'Another time. One that has ended begins anew.')
  when?: ScheduleWhenInput | null;

  @Nullable(() => String, 'Another time zone.')
  timeZone?: string | null;

  @Nullable(() => MissedRuns, 'What becomes of times at which no server runs.')
  missedRuns?: MissedRunsName | null;
}

@ObjectType('ScheduleRun', { description: 'A time at which a schedule was due, and what came of it.' })
export class ScheduleRunModel {
  @Field(() => DateTime, { description: 'When it was due.' })
  dueAt!: Date;

  @Field(() => ScheduleRunOutcome, { description: 'What came of it.' })
  outcome!: RunOutcome;

  @Nullable(() => String, 'Why it was refused, for people; null: it was not.')
  reason!: string | null;

  @Field(() => DateTime, { description: 'When it was noted.' })
  createdAt!: Date;
}

@ObjectType('Schedule', {
  implements: () => [Node],
  description: 'A question that is asked in a member’s name at certain times.',
})
export class ScheduleModel extends Node {
  @Field(() => ID, { description: 'In whose name it is asked.' })
  memberId!: string;

  @Nullable(
    () => ID,
    'In which conversation it is asked, also when that was deleted since; null: in new ones.',
  )
  conversationId!: string | null;

  @Nullable(() => String, 'Its cron expression; null: it asks once, at `at`.')
  cron!: string | null;

  @Nullable(() => DateTime, 'The one time at which it asks; null: see cron.')
  at!: Date | null;

  @Field(() => String, { description: 'The time zone of cron.' })
  timeZone!: string;

  @Field(() => MissedRuns, { description: 'What becomes of times at which no server runs.' })
  missedRuns!: MissedRunsName;

  @Field(() => ScheduleStatus, { description: 'Whether it asks.' })
  status!: StatusName;

  @Nullable(() => SchedulePausedReason, 'Why it is paused; null: it is not.')
  pausedReason!: PausedReason | null;

  @Nullable(() => DateTime, 'When it asks next; null: it is not active.')
  nextAt!: Date | null;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of schedules, newest first.' })
export class ScheduleConnection extends connectionOf(ScheduleModel, 'Schedule') {}

@ObjectType({ description: `A page of runs, newest first. Of each schedule the last ${KEPT_RUNS} are kept.` })
export class ScheduleRunConnection extends connectionOf(ScheduleRunModel, 'ScheduleRun') {}

@ArgsType()
export class SchedulesArguments extends ForwardPageArguments {
  @Nullable(
    () => Boolean,
    'True: those of all members of the company, for admins. Left out: the viewer’s own.',
  )
  ofCompany?: boolean | null;
}
