import type { Indicator } from '@palabre/plugin';
import { z } from 'zod';
import { functionTool, objectSchema, type ToolSpec } from '@palabre/llm-client';
import { quotation, singleLine } from '@palabre/text';
import type { JsonObject } from '@palabre/json';

import type { Plugins } from '../../common/plugins.js';
import { type DocumentAnalysis, storedFocus } from '../../documents/analysis/analysis.repository.js';
import { fill, type Wording, wordingIn } from '../../common/wording/wording.js';
import { displayName } from '../loop/prompt/company-facts.js';
import { jsonIn, type Task } from '../upkeep/task.js';
import { type Findings, QuoteFinder, shortSummary, verifiedFindings } from './findings.js';
import { type PageText, shownPages } from './piece-text.js';

interface AskedPiece {
  /** The language to write in, BCP 47. */
  language: string;
  name: string;
  number: number;
  of: number;
  pages: readonly PageText[];
  /** Null: only a summary and figures. */
  lookedFor: LookedFor | null;
}

/** The aspects of an analysis besides a summary and figures. */
interface LookedFor {
  /** Its key in answers. */
  focus: string;
  name: string;
  indicators: readonly Indicator[];
}

/** The task of reading a piece: its summary, its figures, and the indicators that it supports. */
export function findingsTask(asked: AskedPiece): Task<Findings> {
  const { language, name, number, of, pages, lookedFor } = asked;
  const labels = wordingIn(language).analysisTask;
  const quotes = new QuoteFinder(pages);
  const task = fill(labels.findingsTask, { language: displayName('language', language, language) });
  const read = (input: unknown): Findings | null => verifiedFindings(input, quotes, lookedFor);
  return {
    messages: [
      {
        role: 'system',
        content: lookedFor ? `${task} ${indicatorsTask(lookedFor, labels)}` : task,
      },
      {
        role: 'user',
        content: `# ${labels.document}: ${singleLine(name, 200)} (${fill(labels.piece, { number, of })})\n${shownPages(pages)}`,
      },
    ],
    tool: lookedFor ? indicatorsTool(lookedFor) : plainTool,
    read,
    readText: (text) => read(jsonIn(text)),
    maxOutputTokens: lookedFor ? 5_000 : 3_000,
    maxSeconds: 120,
  };
}

function indicatorsTask({ focus, name, indicators }: LookedFor, labels: Wording['analysisTask']): string {
  const list = indicators.map(({ code, question }) => `- ${code}: ${question}`).join('\n');
  return `${fill(labels.indicatorsTask, { focus })}\n\n# ${fill(labels.indicators, { name })}\n${list}`;
}

function text(description?: string): JsonObject {
  return { type: 'string', ...(description && { description }) };
}
const page: JsonObject = { type: ['integer', 'null'], description: 'null: the document has no pages.' };
const quote = text('Word for word from the extract.');

function listOf(properties: JsonObject, maxItems: number): JsonObject {
  return { type: 'array', maxItems, items: objectSchema(properties) };
}

function notingTool(properties: JsonObject): ToolSpec {
  return functionTool('note_findings', 'Notes what the extract says.', properties);
}

const found: JsonObject = {
  summary: text(),
  figures: listOf({ label: text(), value: text('As it is written.'), unit: text(), page, quote }, 10),
};
const plainTool = notingTool(found);
function indicatorsTool({ focus, indicators }: LookedFor): ToolSpec {
  return notingTool({ ...found, [focus]: listOf({ code: text(), page, quote }, indicators.length) });
}

const MAX_CHARACTERS_OF_A_SUMMARY = 2_000;

const Summary = z.object({ summary: z.string() });

export function digestTask(language: string, name: string, summaries: readonly string[]): Task<string> {
  const labels = wordingIn(language).analysisTask;
  const parts = summaries.map(
    (summary, index) => `## ${index + 1}\n${quotation(summary, MAX_CHARACTERS_OF_A_SUMMARY)}`,
  );
  const read = (input: unknown): string | null =>
    shortSummary(Summary.safeParse(input).data?.summary ?? '') || null;
  return {
    messages: [
      {
        role: 'system',
        content: fill(labels.digestTask, { language: displayName('language', language, language) }),
      },
      {
        role: 'user',
        content: `# ${labels.document}: ${singleLine(name, 200)}\n\n# ${labels.summaries}\n${parts.join('\n\n')}`,
      },
    ],
    tool: functionTool('note_summary', 'Notes the summary of the whole.', { summary: text() }),
    read,
    readText: (text) => read(jsonIn(text)) ?? (shortSummary(text.replace(/^#.*$/gmu, '')) || null),
    maxOutputTokens: 2_000,
    maxSeconds: 120,
  };
}

/** Fallback without a model: the beginning of each summary, as far as it fits. */
export function digestByRule(summaries: readonly string[]): string {
  const each = Math.max(80, Math.floor(MAX_CHARACTERS_OF_A_SUMMARY / Math.max(1, summaries.length)));
  return shortSummary(summaries.map((summary) => singleLine(summary, each)).join('\n'));
}

/** The indicators of the requested package. Null: none requested, or it is no longer installed. */
export function lookedForIn(
  analysis: Pick<DocumentAnalysis, 'focus' | 'language'>,
  plugins: Plugins,
): LookedFor | null {
  const found = plugins.indicators.find(({ focus }) => storedFocus(focus) === analysis.focus);
  if (!found) return null;
  const { focus, name } = found;
  return { focus, name, indicators: found.inLanguage(analysis.language) };
}
