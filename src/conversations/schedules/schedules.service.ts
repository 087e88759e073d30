import { Injectable } from '@nestjs/common';
import { z } from 'zod';

import { checkInput, optionalNotNull } from '../../common/check-input.js';
import { Clock } from '../../common/clock.js';
import { Config } from '../../common/config/config.js';
import { differences } from '../../common/differences.js';
import { isTimeZone } from '../../common/config/environment.js';
import { badInput, DomainError, existing, notFound } from '../../common/errors/domain-error.js';
import { isId, newId } from '../../common/ids.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../../common/schema/page.js';
import { AssistantsService } from '../../companies/assistants/assistants.service.js';
import { AuditService } from '../../companies/audit/audit.service.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { ConversationsService } from '../conversations.service.js';
import { ASSISTANT_ARGUMENT, CONVERSATION_ARGUMENT, StartTurn } from '../turns/start/start-turn.js';
import {
  missedRunsChoices,
  type Schedule,
  type ScheduleRun,
  ScheduleRepository,
  scheduleOrder,
  scheduleRunOrder,
} from './schedule.repository.js';
import { nextDue, problemOf } from './schedule-times.js';

export const MAX_CRON_CHARACTERS = 200;
export const MAX_SCHEDULED_CHARACTERS = 10_000;

const WHEN_ARGUMENT: readonly string[] = ['input', 'when'];

const when = z.object({
  cron: z
    .string()
    .max(MAX_CRON_CHARACTERS, `A cron expression has at most ${MAX_CRON_CHARACTERS} characters.`)
    .nullish(),
  at: z.date().nullish(),
});

const { assistantKey, conversationId } = StartTurn.shape;

const message = StartTurn.shape.message.refine(
  ({ length }) => length <= MAX_SCHEDULED_CHARACTERS,
  `A scheduled message has at most ${MAX_SCHEDULED_CHARACTERS} characters.`,
);

const timeZone = z
  .string()
  .max(100, 'This is no time zone.')
  .refine(isTimeZone, 'This is no time zone: one is called Europe/Madrid.');

const NewSchedule = z.object({
  assistantKey,
  conversationId,
  message,
  when,
  timeZone: timeZone.nullish(),
  missedRuns: z
    .enum(missedRunsChoices)
    .nullish()
    .transform((choice) => choice ?? 'ONCE'),
});

const ScheduleChange = z.object({
  id: z.string(),
  message: optionalNotNull(message),
  when: optionalNotNull(when),
  timeZone: optionalNotNull(timeZone),
  missedRuns: optionalNotNull(z.enum(missedRunsChoices)),
});

/** Members' schedules. Admins see when others' are due, and may pause and delete them. */
@Injectable()
export class Schedules {
  constructor(
    private readonly database: Database,
    private readonly schedules: ScheduleRepository,
    private readonly assistants: AssistantsService,
    private readonly conversations: ConversationsService,
    private readonly audit: AuditService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Rejects with BAD_USER_INPUT, NOT_FOUND, or CONFLICT when there are too many. */
  async create(viewer: Viewer, input: unknown): Promise<Schedule> {
    const given = checkInput(NewSchedule, input);
    const times = {
      cron: given.when.cron ?? null,
      at: given.when.at ?? null,
      timeZone: given.timeZone ?? this.config.timeZone,
    };
    const { message: text, missedRuns } = given;
    const nextAt = this.firstDue(times);
    const now = this.clock.now();
    return this.database.transaction(viewer.companyId, async (tx) => {
      await this.requireRoom(tx, viewer);
      const place = await this.placeOf(tx, viewer, given);
      const schedule: Schedule = {
        companyId: tx.companyId,
        id: newId(),
        memberId: viewer.id,
        ...place,
        message: text,
        ...times,
        missedRuns,
        status: 'ACTIVE',
        pausedReason: null,
        nextAt,
        activeSince: now,
        lastTurnId: null,
        createdAt: now,
      };
      await this.schedules.add(tx, schedule, this.config.schedules.maxPerMember);
      await this.record(tx, viewer, 'created', schedule);
      return schedule;
    });
  }

  /** Rejects like `create`. A new time restarts an ended schedule. */
  update(viewer: Viewer, input: unknown): Promise<Schedule> {
    const { id, when: newWhen, ...given } = checkInput(ScheduleChange, input);
    return this.change(viewer, id, ['input', 'id'], 'updated', async (schedule, tx) => {
      requireOwn(viewer, schedule, ['input', 'id']);
      const times = newWhen && { cron: newWhen.cron ?? null, at: newWhen.at ?? null };
      const values = differences(schedule, { ...given, ...times });
      if (!newWhen && given.timeZone === undefined) return values;
      const nextAt = this.firstDue({ ...schedule, ...values });
      if (schedule.status === 'ENDED') await this.requireRoom(tx, viewer);
      return schedule.status === 'PAUSED' ? values : { ...values, ...this.activated(nextAt) };
    });
  }

  /** Pauses or resumes a schedule, the viewer's own or for admins another's. A second time does nothing. */
  setActive(viewer: Viewer, id: string, active: boolean): Promise<Schedule> {
    return this.change(viewer, id, [], active ? 'resumed' : 'paused', (schedule) => {
      if (schedule.status === 'ENDED') throw new DomainError('CONFLICT', 'This schedule has ended.');
      if ((schedule.status === 'ACTIVE') === active) return {};
      if (active) {
        const nextAt = nextDue(schedule, this.clock.now());
        if (!nextAt)
          throw new DomainError('CONFLICT', 'Its time is over. Give it another by updateSchedule.');
        return this.activated(nextAt);
      }
      const pausedReason = schedule.memberId === viewer.id ? 'BY_MEMBER' : 'BY_ADMIN';
      return { status: 'PAUSED', pausedReason, nextAt: null };
    });
  }

  /** The turns that it started stay. Rejects with NOT_FOUND. */
  delete(viewer: Viewer, id: string): Promise<string> {
    return this.database.transaction(viewer.companyId, async (tx) => {
      const schedule = await this.get(tx, viewer, id);
      await this.schedules.delete(tx, { id });
      await this.record(tx, viewer, 'deleted', schedule);
      return id;
    });
  }

  /** Null for other members, as for a schedule that does not exist. */
  find(viewer: Viewer, id: string): Promise<Schedule | null> {
    return this.database.read(viewer.companyId, (tx) => this.findSeen(tx, viewer, id));
  }

  /** The viewer's own, or all of the company. Rejects with FORBIDDEN. */
  list(viewer: Viewer, ofCompany: boolean, page: ForwardPageArguments): Promise<Page<Schedule>> {
    if (ofCompany && viewer.role === 'MEMBER')
      throw new DomainError('FORBIDDEN', 'The company’s schedules are for admins.');
    const request = pageRequest(page, scheduleOrder);
    return this.database.read(viewer.companyId, (tx) =>
      this.schedules.page(tx, scheduleOrder, request, ofCompany ? {} : { memberId: viewer.id }),
    );
  }

  /** The caller has checked access to the schedule. */
  listRuns({ companyId, id }: Schedule, page: ForwardPageArguments): Promise<Page<ScheduleRun>> {
    const request = pageRequest(page, scheduleRunOrder);
    return this.database.read(companyId, (tx) => this.schedules.listRuns(tx, id, request));
  }

  /** A schedule of the viewer. Rejects with NOT_FOUND. */
  async getOwn(viewer: Viewer, id: string): Promise<Schedule> {
    const schedule = await this.database.read(viewer.companyId, (tx) => this.get(tx, viewer, id));
    requireOwn(viewer, schedule);
    return schedule;
  }

  private change(
    viewer: Viewer,
    id: string,
    path: readonly string[],
    verb: string,
    changesOf: (schedule: Schedule, tx: Transaction) => Partial<Schedule> | Promise<Partial<Schedule>>,
  ): Promise<Schedule> {
    return this.database.transaction(viewer.companyId, async (tx) => {
      const seen = await this.get(tx, viewer, id, path);
      const schedule = existing(await this.schedules.lock(tx, { id: seen.id }), 'schedule', path);
      const changes = await changesOf(schedule, tx);
      if (Object.keys(changes).length === 0) return schedule;
      await this.schedules.update(tx, { id }, changes);
      const changed = { ...schedule, ...changes };
      await this.record(tx, viewer, verb, changed);
      return changed;
    });
  }

  /** Rejects with CONFLICT. Blocks other new schedules of the member until `tx` ends. */
  private async requireRoom(tx: Transaction, { id }: Viewer): Promise<void> {
    const { maxPerMember } = this.config.schedules;
    if ((await this.schedules.countLocked(tx, id)) >= maxPerMember) throw tooMany(maxPerMember);
  }

  private async placeOf(
    tx: Transaction,
    viewer: Viewer,
    given: z.output<typeof NewSchedule>,
  ): Promise<Pick<Schedule, 'assistantId' | 'conversationId'>> {
    if (given.conversationId !== null) {
      const conversation = await this.conversations.getLocked(
        tx,
        viewer,
        given.conversationId,
        CONVERSATION_ARGUMENT,
      );
      await this.assistants.requireInUse(tx, conversation.assistantId, CONVERSATION_ARGUMENT);
      return { assistantId: conversation.assistantId, conversationId: conversation.id };
    }
    if (given.assistantKey === null)
      throw badInput(ASSISTANT_ARGUMENT, 'Give an assistantKey or a conversationId.');
    const assistant = await this.assistants.findByKey(tx, given.assistantKey);
    if (!assistant) throw notFound('assistant', ASSISTANT_ARGUMENT);
    await this.assistants.requireInUse(tx, assistant.id, ASSISTANT_ARGUMENT);
    return { assistantId: assistant.id, conversationId: null };
  }

  /** Rejects with BAD_USER_INPUT for invalid times. */
  private firstDue(times: Pick<Schedule, 'cron' | 'at' | 'timeZone'>): Date {
    const now = this.clock.now();
    const { cron } = times;
    const problem = cron === null ? null : problemOf(cron, this.config.schedules.leastMinutes, now);
    if (problem !== null) throw badInput([...WHEN_ARGUMENT, 'cron'], problem);
    const due = nextDue(times, now);
    if (due) return due;
    throw badInput([...WHEN_ARGUMENT, 'at'], 'This must be in the future.');
  }

  private activated(nextAt: Date): Partial<Schedule> {
    return { status: 'ACTIVE', pausedReason: null, nextAt, activeSince: this.clock.now() };
  }

  private async get(
    tx: Transaction,
    viewer: Viewer,
    id: string,
    path: readonly string[] = [],
  ): Promise<Schedule> {
    return existing(await this.findSeen(tx, viewer, id), 'schedule', path);
  }

  private async findSeen(tx: Transaction, viewer: Viewer, id: string): Promise<Schedule | null> {
    const schedule = isId(id) ? await this.schedules.find(tx, { id }) : null;
    const isSeen = schedule && (schedule.memberId === viewer.id || viewer.role !== 'MEMBER');
    return isSeen ? schedule : null;
  }

  /** Without the question, which may have to be erased later. */
  private record(tx: Transaction, viewer: Viewer, verb: string, schedule: Schedule): Promise<void> {
    const { id, memberId, cron, at, timeZone: zone } = schedule;
    const details = { memberId, cron, at: at?.toISOString() ?? null, timeZone: zone };
    return this.audit.record(tx, viewer.id, `schedule.${verb}`, id, details);
  }
}

function requireOwn(viewer: Viewer, { memberId }: Schedule, path: readonly string[] = []): void {
  if (memberId !== viewer.id) throw notFound('schedule', path);
}

function tooMany(limit: number): DomainError {
  return new DomainError('CONFLICT', `You have ${limit} schedules, which is the limit. Delete one first.`, {
    limit,
  });
}
