import type { Indicator } from '@palabre/plugin';
import { z } from 'zod';
import { functionTool, objectSchema, type ToolSpec } from '@palabre/llm-client';
import { quotation, singleLine } from '@palabre/text';
import type { JsonObject } from '@palabre/json';

import type { Plugins } from '../../common/plugins.js';
import type { DocumentAnalysis } from '../../documents/analysis/analysis.repository.js';
import { fill, wordingIn } from '../../common/wording/wording.js';
import { displayName } from '../loop/prompt/company-facts.js';
import { jsonIn, type Task } from '../upkeep/task.js';
import { type Findings, QuoteFinder, shortSummary, verifiedFindings } from './findings.js';
import { type PageText, shownPages } from './piece-text.js';

interface AskedPiece {
  /** BCP 47: what to write in. */
  language: string;
  /** The document's. */
  name: string;
  number: number;
  of: number;
  pages: readonly PageText[];
  /** None: ESG is not asked for. */
  indicators: readonly Indicator[];
}

/** To read a piece of a document: what it says, its figures, and which indicators it supports. */
export function findingsTask(asked: AskedPiece): Task<Findings> {
  const { language, name, number, of, pages, indicators } = asked;
  const labels = wordingIn(language).analysisTask;
  const quotes = new QuoteFinder(pages);
  const codes = new Set(indicators.map(({ code }) => code));
  const isEsg = indicators.length > 0;
  const list = indicators.map(({ code, question }) => `- ${code}: ${question}`).join('\n');
  const task = fill(labels.findingsTask, { language: displayName('language', language, language) });
  const read = (input: unknown): Findings | null => verifiedFindings(input, quotes, codes);
  return {
    messages: [
      {
        role: 'system',
        content: isEsg ? `${task} ${labels.esgTask}\n\n# ${labels.indicators}\n${list}` : task,
      },
      {
        role: 'user',
        content: `# ${labels.document}: ${singleLine(name, 200)} (${fill(labels.piece, { number, of })})\n${shownPages(pages)}`,
      },
    ],
    tool: isEsg ? esgTool : plainTool,
    read,
    readText: (text) => read(jsonIn(text)),
    maxOutputTokens: isEsg ? 5_000 : 3_000,
    maxSeconds: 120,
  };
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
const esgTool = notingTool({ ...found, esg: listOf({ code: text(), page, quote }, 38) });

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

/** Fallback without a model: the beginning of each summary, as far as there is room. */
export function digestByRule(summaries: readonly string[]): string {
  const each = Math.max(80, Math.floor(MAX_CHARACTERS_OF_A_SUMMARY / Math.max(1, summaries.length)));
  return shortSummary(summaries.map((summary) => singleLine(summary, each)).join('\n'));
}

/** The indicators that an analysis looks for: those of the installed packages, where ESG is asked for. */
export function indicatorsFor(
  { focus, language }: Pick<DocumentAnalysis, 'focus' | 'language'>,
  plugins: Plugins,
): Indicator[] {
  if (focus !== 'ESG') return [];
  return plugins.indicators.flatMap((indicators) => [...indicators.inLanguage(language)]);
}
