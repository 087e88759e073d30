import { z } from 'zod';
import { functionTool } from '@palabre/llm-client';
import { quotation, singleLine } from '@palabre/text';
import type { JsonObject } from '@palabre/json';

import type { Calendar } from '../../common/calendar.js';
import { type Wording, wordingIn } from '../../common/wording/wording.js';
import type { MessageRole } from '../../conversations/message.repository.js';
import { type Memory, memoryKinds } from '../../memory/memory.entity.js';
import { MAX_SUBJECT_CHARACTERS } from '../../memory/memory-input.js';
import { jsonIn, type Task } from './task.js';

const MAX_FACTS = 5;
const MAX_CONTENT_CHARACTERS = 500;
const MAX_CHARACTERS_OF_A_NOTE = 400;
const MAX_CHARACTERS_OF_THE_QUESTION = 8_000;
const MAX_CHARACTERS_OF_OTHERS = 2_000;

export interface SaidInTurn {
  now: Date;
  /** Gives the day of the question, and of known notes. */
  calendar: Calendar;
  /** The member's relevant memories, numbered from 1. */
  known: readonly Memory[];
  before: readonly { role: MessageRole; text: string }[];
  question: string;
  answer: string;
}

interface Facts {
  facts: Fact[];
  /** The number of further facts, over the limit or invalid. */
  unusable: number;
}

/** A fact that a model wants to note. */
const Fact = z.object({
  kind: z.enum(memoryKinds),
  subject: z.string().trim().min(1).max(MAX_SUBJECT_CHARACTERS),
  content: z.string().trim().min(1).max(MAX_CONTENT_CHARACTERS),
  attributes: z
    .record(z.string(), z.json())
    .nullish()
    .transform((given) => (given ?? {}) as JsonObject),
  /** The number of the known memory that it replaces. */
  replaces: z
    .int()
    .nullish()
    .transform((number) => number ?? null),
  /** The message that states it. */
  message: z.enum(['question', 'answer']),
});
export type Fact = z.output<typeof Fact>;

// Far more than is kept. Longer lists are endless repetitions.
const Notes = z.object({ memories: z.array(z.unknown()).max(100) });

export function memoryTask(language: string, said: SaidInTurn): Task<Facts> {
  return {
    messages: [
      { role: 'system', content: wordingIn(language).memoryTask.task },
      { role: 'user', content: materialOf(language, said) },
    ],
    tool: functionTool('note_memories', 'Notes what is worth knowing later; an empty list if nothing is.', {
      memories: { type: 'array', maxItems: MAX_FACTS, items: factSchema },
    }),
    read: factsOf,
    readText: (text) => factsOf(jsonIn(text)),
    maxOutputTokens: 1_500,
    maxSeconds: 60,
  };
}

const factSchema: JsonObject = {
  type: 'object',
  properties: {
    kind: { type: 'string', enum: [...memoryKinds] },
    subject: { type: 'string', maxLength: MAX_SUBJECT_CHARACTERS, description: 'The name or topic.' },
    content: { type: 'string', maxLength: MAX_CONTENT_CHARACTERS, description: 'One sentence.' },
    attributes: {
      type: 'object',
      description:
        'Of a PROJECT: status, description, client. Of a CONTACT: company, email, notes, aliases (a list). Only what was said.',
    },
    replaces: { type: 'integer', description: 'The number of the note that this takes the place of.' },
    message: { type: 'string', enum: ['question', 'answer'], description: 'Where it was said.' },
  },
  required: ['kind', 'subject', 'content', 'message'],
  additionalProperties: false,
};

function materialOf(language: string, { now, calendar, ...material }: SaidInTurn): string {
  const { known, before, question, answer } = material;
  const labels = wordingIn(language).memoryTask;
  const people = wordingIn(language).upkeep;
  const notes = known.map((memory, index) => `${index + 1}. ${noteOf(memory, calendar)}`).join('\n');
  const earlier = before.map((message) => said(people, message, MAX_CHARACTERS_OF_OTHERS)).join('\n\n');
  const asked = said(people, { role: 'USER', text: question }, MAX_CHARACTERS_OF_THE_QUESTION);
  const answered = said(people, { role: 'ASSISTANT', text: answer }, MAX_CHARACTERS_OF_OTHERS);
  return [
    [labels.today, calendar.dayOf(now)],
    [labels.known, notes],
    [labels.before, earlier],
    [labels.question, asked],
    [labels.answer, answer.trim() === '' ? '' : answered],
  ]
    .filter(([, text]) => text !== '')
    .map(([heading, text]) => `# ${heading}\n${text}`)
    .join('\n\n');
}

function said(
  { member, assistant }: Wording['upkeep'],
  { role, text }: { role: MessageRole; text: string },
  mostCharacters: number,
): string {
  return `${role === 'USER' ? member : assistant}:\n${quotation(text, mostCharacters)}`;
}

function noteOf({ kind, subject, content, attributes, validFrom }: Memory, calendar: Calendar): string {
  const more = Object.keys(attributes).length > 0 ? ` ${JSON.stringify(attributes)}` : '';
  const note = singleLine(`${subject}: ${content}${more}`, MAX_CHARACTERS_OF_A_NOTE);
  return `[${kind}] ${note} (${calendar.dayOf(validFrom)})`;
}

/** The valid facts. An invalid one does not affect the others. */
function factsOf(input: unknown): Facts | null {
  const notes = Notes.safeParse(input);
  if (!notes.success) return null;
  const { memories } = notes.data;
  const facts = memories.slice(0, MAX_FACTS).flatMap((given) => Fact.safeParse(given).data ?? []);
  return { facts, unusable: memories.length - facts.length };
}
