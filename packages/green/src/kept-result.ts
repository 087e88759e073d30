import type {
  JsonObject,
  KeptRecord,
  Platform,
  RecordKind,
  RecordSource,
  SkillContext,
} from '@palabre/plugin';
import { shortened } from '@palabre/text';
import { z } from 'zod';

import { fill, type Wording } from './wording.js';

/** A kept result: its input and its outcome. */
export interface Kept<Given, Result> {
  given: Given;
  result: Result;
  subject: string;
  version: number;
  at: Date;
  memberName: string | null;
  conversationId: string;
}

interface NewResult<Given, Result> {
  given: Given;
  result: Result;
  /** One line for people. */
  title: string;
  sources: readonly RecordSource[];
}

export class ResultKind<Given, Result> implements RecordKind {
  readonly schema: JsonObject;
  private readonly content: z.ZodType<{ given: Given; result: Result }>;

  constructor(
    readonly kind: string,
    readonly description: string,
    given: z.ZodType<Given>,
    result: z.ZodType<Result>,
  ) {
    const content = z.strictObject({ given, result });
    this.content = content as z.ZodType<{ given: Given; result: Result }>;
    // As plain JSON: zod's schema has its own properties.
    this.schema = JSON.parse(JSON.stringify(z.toJSONSchema(content, { io: 'input' }))) as JsonObject;
  }

  /** The newest version of a subject; without one, the last changed. Null: none, or an incompatible earlier one. */
  async find(
    platform: Platform,
    context: SkillContext,
    subject?: string,
  ): Promise<Kept<Given, Result> | null> {
    const found = await platform.records.find(context, this.kind, subject);
    return found && this.read(found);
  }

  /** Keeps the result of `make`, which gets the newest version. */
  async keep(
    platform: Platform,
    context: SkillContext,
    subject: string,
    make: (before: Kept<Given, Result> | null) => NewResult<Given, Result>,
  ): Promise<{ before: Kept<Given, Result> | null; kept: Kept<Given, Result> }> {
    const { before, record } = await platform.records.update(context, this.kind, subject, (newest) => {
      const { given, result, title, sources } = make(newest && this.read(newest));
      return {
        title: shortened(title, MAX_TITLE_CHARACTERS),
        sources,
        content: { given, result } as JsonObject,
      };
    });
    const kept = this.read(record);
    if (!kept) throw new Error(`What was kept as ${this.kind} cannot be read.`);
    return { before: before && this.read(before), kept };
  }

  private read({
    content,
    subject,
    version,
    at,
    memberName,
    conversationId,
  }: KeptRecord): Kept<Given, Result> | null {
    const { data } = this.content.safeParse(content);
    return data ? { ...data, subject, version, at, memberName, conversationId } : null;
  }
}

const MAX_TITLE_CHARACTERS = 200;

/** A publication that is the source of figures or criteria. */
export const PublishedSource = z.object({
  id: z.string(),
  publisher: z.string(),
  title: z.string(),
  year: z.int().nullable(),
  url: z.url(),
  licence: z.string().nullable(),
});

interface Publication {
  publisher: string | null;
  title: string;
  year: number | null;
  url: string | null;
}

export function recordSourceOf({ publisher, title, year, url }: Publication): RecordSource {
  return { title: [publisher, title, year].filter((part) => part !== null).join(' · '), url };
}

/** A value before and after, in words. Null: absent. */
export interface Change {
  label: string;
  before: string | null;
  after: string | null;
}

/** The differences in words: removed, new and changed values. */
export function sayChanges(changes: readonly Change[], { results }: Wording): string[] {
  return changes
    .filter(({ before, after }) => before !== after)
    .map(({ before, after, ...change }) => {
      const template = before === null ? results.added : after === null ? results.removed : results.changed;
      return fill(template, { ...change, before, after });
    });
}

/** The differences between two maps, in the order of the later one. */
export function changesBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  labelOf: (key: string) => string,
): Change[] {
  return [...new Set([...after.keys(), ...before.keys()])].map((key) => ({
    label: labelOf(key),
    before: before.get(key) ?? null,
    after: after.get(key) ?? null,
  }));
}

export function withChanges(summary: string, changes: readonly string[], { results }: Wording): string {
  return changes.length === 0
    ? summary
    : fill(results.changes, { summary, list: changes.join(results.semicolon) });
}

/** A summary of a kept result, with its author and time. */
export function sayKept(
  summary: string,
  { version, at, memberName }: Pick<Kept<unknown, unknown>, 'version' | 'at' | 'memberName'>,
  platform: Platform,
  { results, speech }: Wording,
): string {
  return fill(results.stored, {
    summary,
    version,
    member: memberName,
    date: speech.date(platform.shown(at)),
  });
}
