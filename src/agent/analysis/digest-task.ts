import { z } from 'zod';

import { singleLine, quotation } from '../../common/text/data-text.js';
import { jsonIn, type Task } from '../upkeep/task.js';
import { analysisLabelsFor, languageName } from './analysis-labels.js';
import { shortSummary } from './findings/findings.js';

const MOST_CHARACTERS_OF_A_SUMMARY = 2_000;

const Summary = z.object({ summary: z.string() });

/** To make one summary of those of a document's parts, in their order. */
export const digestTask = (language: string, name: string, summaries: readonly string[]): Task<string> => {
  const labels = analysisLabelsFor(language);
  const parts = summaries.map(
    (summary, index) => `## ${index + 1}\n${quotation(summary, MOST_CHARACTERS_OF_A_SUMMARY)}`,
  );
  const read = (input: unknown): string | null =>
    shortSummary(Summary.safeParse(input).data?.summary ?? '') || null;
  return {
    messages: [
      { role: 'system', content: labels.digestTask(languageName(language)) },
      {
        role: 'user',
        content: `# ${labels.document}: ${singleLine(name, 200)}\n\n# ${labels.summaries}\n${parts.join('\n\n')}`,
      },
    ],
    tool: {
      name: 'note_summary',
      description: 'Notes the summary of the whole.',
      parameters: {
        type: 'object',
        properties: { summary: { type: 'string' } },
        required: ['summary'],
        additionalProperties: false,
      },
    },
    read,
    readText: (text) => read(jsonIn(text)) ?? (shortSummary(text.replace(/^#.*$/gmu, '')) || null),
    maxOutputTokens: 2_000,
    maxSeconds: 120,
  };
};

/** For want of a model that does it: the beginnings of all, as far as there is room. */
export const digestByRule = (summaries: readonly string[]): string => {
  const each = Math.max(80, Math.floor(MOST_CHARACTERS_OF_A_SUMMARY / Math.max(1, summaries.length)));
  return shortSummary(summaries.map((summary) => singleLine(summary, each)).join('\n'));
};
