import { z } from 'zod';
import { functionTool } from '@palabre/llm-client';
import { quotation } from '@palabre/text';

import { titleOf } from '../../conversations/title.js';
import { wordingIn } from '../../common/wording/wording.js';
import type { Task } from './task.js';

const MAX_CHARACTERS = 2_000;

const Title = z.object({ title: z.string() });

export function titleTask(language: string, question: string, answer: string): Task<string> {
  const labels = wordingIn(language).upkeep;
  const exchange = `${labels.member}:\n${quotation(question, MAX_CHARACTERS)}\n\n${labels.assistant}:\n${quotation(answer, MAX_CHARACTERS)}`;
  return {
    messages: [
      { role: 'system', content: labels.titleTask },
      { role: 'user', content: exchange },
    ],
    tool: functionTool('name_conversation', 'Names the conversation.', {
      title: { type: 'string', maxLength: 80, description: 'Three to eight words.' },
    }),
    read: (input) => cleanTitle(Title.safeParse(input).data?.title ?? ''),
    readText: cleanTitle,
    maxOutputTokens: 200,
    maxSeconds: 60,
  };
}

/** One line without enclosing quotation marks and full stop. Null: nothing is left. */
function cleanTitle(text: string): string | null {
  const line = titleOf(text.replace(/^\s*#*\s*/, '').toWellFormed());
  // The full stop may be inside or outside the marks.
  const title = withoutStop(withoutQuotes(withoutStop(line)));
  return title === '' ? null : title;
}

function withoutStop(line: string): string {
  return line.replace(/[.。]$/u, '');
}

const closingOf: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['「', '」'],
  ['『', '』'],
]);

/** Marks around a part of the line stay. */
function withoutQuotes(line: string): string {
  const closing = closingOf.get(line.charAt(0));
  const inner = line.slice(1, -1);
  return closing && line.endsWith(closing) && !inner.includes(closing) ? inner.trim() : line;
}
