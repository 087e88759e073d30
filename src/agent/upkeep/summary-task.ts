import { z } from 'zod';
import { functionTool } from '@palabre/llm-client';
import { quotation, singleLine } from '@palabre/text';

import { wordingIn } from '../../common/wording/wording.js';
import type { ToldMessage } from '../unanswered.js';
import type { Task } from './task.js';

const MAX_POINTS = 10;
const MAX_CHARACTERS_OF_A_POINT = 500;
const MAX_CHARACTERS_OF_A_MESSAGE = 6_000;

/** Longer conversations are summarised in several batches. */
const MAX_CHARACTERS = 30_000;

/** The first messages that fit into a batch, at least one. */
export function nextBatch<Said extends ToldMessage>(messages: readonly Said[]): readonly Said[] {
  let characters = 0;
  const beyond = messages.findIndex(({ text }) => {
    characters += Math.min(text.length, MAX_CHARACTERS_OF_A_MESSAGE);
    return characters > MAX_CHARACTERS;
  });
  return beyond < 0 ? messages : messages.slice(0, beyond);
}

const Points = z.object({ points: z.array(z.string()).max(100) });

/** The task of adding messages to a summary, which is a list of points, one a line, each with `- `. */
export function summaryTask(
  language: string,
  summary: string | null,
  messages: readonly ToldMessage[],
): Task<string> {
  const labels = wordingIn(language).upkeep;
  const said = messages.map(({ role, text }) => {
    const who = role === 'USER' ? labels.member : labels.assistant;
    return `${who}:\n${quotation(text, MAX_CHARACTERS_OF_A_MESSAGE)}`;
  });
  const before = summary === null ? '' : `# ${labels.summarySoFar}\n${summary}\n\n`;
  return {
    messages: [
      { role: 'system', content: labels.summaryTask },
      { role: 'user', content: `${before}# ${labels.newMessages}\n${said.join('\n\n')}` },
    ],
    tool: functionTool('keep_summary', 'Replaces the summary.', {
      points: {
        type: 'array',
        items: { type: 'string' },
        minItems: 3,
        maxItems: MAX_POINTS,
        description: 'One sentence each.',
      },
    }),
    read: (input) => listOf(Points.safeParse(input).data?.points ?? []),
    readText: (text) => listOf(text.split('\n')),
    maxOutputTokens: 1_500,
    maxSeconds: 120,
  };
}

// A bullet with the blank after it, because a point may begin with -5 °C or 3.5 t.
const bullet = /^\s*(?:[-*–—](?:\s+|$)|[•·]\s*|\d{1,2}(?:[.)](?:\s+|$)|、\s*))/u;

function listOf(lines: readonly string[]): string | null {
  const points = lines
    .map((line) => singleLine(line.replace(bullet, ''), MAX_CHARACTERS_OF_A_POINT))
    // Headings and introductions are not points.
    .filter((point) => point !== '' && !/^#|[:：]$/u.test(point));
  return points.length === 0
    ? null
    : points
        .slice(0, MAX_POINTS)
        .map((point) => `- ${point}`)
        .join('\n');
}
