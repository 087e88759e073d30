import { z } from 'zod';

import type { Calendar } from '../../../common/calendar.js';
import { DAY_MS } from '../../../common/clock.js';
import type { JsonObject } from '../../../common/json.js';
import { contextSections } from '../../../memory-context/memory-context.js';
import { memoryKinds } from '../../../memory/memory.entity.js';
import type { MemoryRange } from '../../../memory/memory-range.js';
import { SkillError } from '../../skill.js';

const MOST_QUERY_CHARACTERS = 500;

/** All notes are of this time. Models write 0000-01-01 and 9999-12-31 for no bounds, the ends of which no database takes. */
const EARLIEST = Date.parse('1900-01-01');
const LATEST = Date.parse('9999-12-31');

const Day = z.iso.date('A day is written YYYY-MM-DD.');

const Input = z
  .strictObject({
    query: z.string().trim().min(1).max(MOST_QUERY_CHARACTERS).optional(),
    kinds: z
      .array(z.enum(contextSections))
      .min(1)
      .default([...contextSections]),
    from: Day.optional(),
    to: Day.optional(),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['to'],
    error: 'This is before from.',
  });

const day = (description: string): JsonObject => ({
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description,
});

export const recallParameters: JsonObject = {
  type: 'object',
  additionalProperties: false,
  properties: {
    query: {
      type: 'string',
      minLength: 1,
      maxLength: MOST_QUERY_CHARACTERS,
      description:
        'What to look for: names, topics, or the question itself. Left out: what was noted last, to tell the user what is known of them.',
    },
    kinds: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { type: 'string', enum: [...contextSections] },
      description:
        'Only these kinds of notes; CONVERSATION: what was said in earlier conversations. Left out: all.',
    },
    from: day('The first day, YYYY-MM-DD; for a question about a time.'),
    to: day('The last day, YYYY-MM-DD.'),
  },
};

/** What is to be recalled. */
export interface Recalling {
  /** Null: what was noted last. */
  query: string | null;
  /** The notes that are asked for. */
  range: MemoryRange;
  /** The query for earlier messages, with the days that were asked for; null: they are not to be looked through. */
  timedQuery: string | null;
  isInRange(date: Date): boolean;
}

/** Throws SkillError. */
export const readRecalling = (input: JsonObject, calendar: Calendar): Recalling => {
  const parsed = Input.safeParse(input);
  if (!parsed.success) throw new SkillError(`The arguments do not fit:\n${z.prettifyError(parsed.error)}`);
  const { query = null, kinds, from, to } = parsed.data;
  // Written out, days are looked for like words, so that what was said on them comes up although it shares none.
  const timed = [query, from, to === from ? undefined : to].filter((part) => part != null).join(' ');
  const startOf = (time: number): number => calendar.momentOf(new Date(time)).getTime();
  const first = from === undefined ? -Infinity : startOf(Date.parse(from));
  const end = to === undefined ? Infinity : startOf(Date.parse(to) + DAY_MS);
  return {
    query,
    range: {
      kinds: memoryKinds.filter((kind) => kinds.includes(kind)),
      from: momentOf(first),
      before: momentOf(end),
    },
    timedQuery: kinds.includes('CONVERSATION') && timed !== '' ? timed : null,
    isInRange: (date) => date.getTime() >= first && date.getTime() < end,
  };
};

const momentOf = (time: number): Date => new Date(Math.min(Math.max(time, EARLIEST), LATEST));
