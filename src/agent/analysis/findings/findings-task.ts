import { singleLine } from '../../../common/text/data-text.js';
import type { JsonObject } from '../../../common/json.js';
import { jsonIn, type Task } from '../../upkeep/task.js';
import { analysisLabelsFor, languageName } from '../analysis-labels.js';
import type { AskedIndicator } from '../esg-indicators.js';
import { type Findings, verifiedFindings } from './findings.js';
import { type PageText, shownPages } from '../pieces/piece-text.js';
import { QuoteFinder } from './quotes.js';

/** A piece of a document to be read. */
export interface AskedPiece {
  /** BCP 47: what to write in. */
  language: string;
  /** The document's. */
  name: string;
  number: number;
  of: number;
  pages: readonly PageText[];
  /** None: ESG is not asked for. */
  indicators: readonly AskedIndicator[];
}

/** To read a piece of a document: what it says, its figures, and which indicators it supports. */
export const findingsTask = (asked: AskedPiece): Task<Findings> => {
  const { language, name, number, of, pages, indicators } = asked;
  const labels = analysisLabelsFor(language);
  const quotes = new QuoteFinder(pages);
  const codes = new Set(indicators.map(({ code }) => code));
  const isEsg = indicators.length > 0;
  const list = indicators.map(({ code, question }) => `- ${code}: ${question}`).join('\n');
  const task = labels.findingsTask(languageName(language));
  const read = (input: unknown): Findings | null => verifiedFindings(input, quotes, codes);
  return {
    messages: [
      {
        role: 'system',
        content: isEsg ? `${task} ${labels.esgTask}\n\n# ${labels.indicators}\n${list}` : task,
      },
      {
        role: 'user',
        content: `# ${labels.document}: ${singleLine(name, 200)} (${labels.piece(number, of)})\n${shownPages(pages)}`,
      },
    ],
    tool: {
      name: 'note_findings',
      description: 'Notes what the extract says.',
      parameters: isEsg ? withEsg : withoutEsg,
    },
    read,
    readText: (text) => read(jsonIn(text)),
    maxOutputTokens: isEsg ? 5_000 : 3_000,
    maxSeconds: 120,
  };
};

const text = (description?: string): JsonObject => ({ type: 'string', ...(description && { description }) });
const page: JsonObject = { type: ['integer', 'null'], description: 'null: the document has no pages.' };
const quote = text('Word for word from the extract.');

const listOf = (properties: JsonObject, maxItems: number): JsonObject => ({
  type: 'array',
  maxItems,
  items: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
});

const schemaOf = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const found: JsonObject = {
  summary: text(),
  figures: listOf({ label: text(), value: text('As it is written.'), unit: text(), page, quote }, 10),
};
const withoutEsg = schemaOf(found);
const withEsg = schemaOf({ ...found, esg: listOf({ code: text(), page, quote }, 38) });
