import { measuresIn } from '../arguments/amounts/measures.js';
import { quotedAmounts } from '../arguments/items/item-extraction.js';
import { itemShape } from '../arguments/items/item-shape.js';
import { enumOf, ownDescription, propertiesOf, type Property } from '../arguments/values/property.js';
import type { Conversation } from '../conversation.js';
import type { Quantity } from '../reading/numbers/quantity.js';
import { type Reading, sentencesOf } from '../reading/read.js';
import { GENERATE_REPORT } from '../reports/report-chain.js';
import type { Choice } from '../tool-choice.js';
import type { ToolProfile } from '../tool-profile.js';
import { closing, paragraphs, quotes, rangesIn } from './answer.js';
import { fieldName } from './field-names.js';
import type { Phrases } from './languages/phrase-book.js';
import { phrases } from './languages/phrases.js';
import { whichReport } from './prose/report-prose.js';
import { shortened } from './shortened.js';

const mostUnits = 7;
const longestDescription = 160;

/** How a property is asked for: by what its schema says of it. */
function askFor(property: Property, { language }: Conversation): string {
  const own = phrases[language];
  const shape = property.type === 'array' ? itemShape(property) : null;
  if (shape?.unit) return own.quantities(unitsIn(enumOf(shape.unit), own));
  const sentence = sentencesOf(ownDescription(property))[0] ?? '';
  const told = sentence.replace(/\s*\([^()]*\)/g, '').replace(/[.。:]+$/u, '');
  return told === '' ? fieldName(property.name, language).label : shortened(told, longestDescription);
}

const unitsIn = (units: readonly string[], own: Phrases): string =>
  units
    .slice(0, mostUnits)
    .map((unit) => own.units[unit] ?? unit)
    .join(own.separator);

/** What the tools that ship are asked with, for an answer that knows them by their descriptions alone. */
const usualUnits = ['kWh', 'litre', 'kg', 'tonne', 'km', 'm3'];
const measuring: ReadonlySet<string> = new Set(['calculate_carbon_footprint']);

/** Asks for what a tool needs, where the request no longer tells what that is. */
export function wordUnfilled(conversation: Conversation, { tool }: ToolProfile, asked: Reading): string {
  const own = phrases[conversation.language];
  const amounts = quotedAmounts(asked, measuresIn(asked));
  if (amounts.length > 0) return closing(own.unread(quotes(amounts, conversation)), conversation);
  const needs = measuring.has(tool.name) ? own.quantities(unitsIn(usualUnits, own)) : own.noDetails;
  return closing(paragraphs(`${own.missing}\n- ${needs}`, own.askMissing), conversation);
}

/** The most that a tool takes of one quantity, and what goes beyond it; null: nothing does. */
function tooLarge(
  { profile, extraction }: Choice,
  asked: Reading,
): { most: number; over: Quantity[] } | null {
  const shapes = propertiesOf(profile.tool.parameters).map((each) =>
    each.type === 'array' ? itemShape(each) : null,
  );
  const most = shapes.find((shape) => shape !== null)?.amount.schema['maximum'];
  if (typeof most !== 'number' || extraction.missing.length === 0) return null;
  const over = measuresIn(asked).filter(({ value }) => value > most);
  return over.length > 0 ? { most, over } : null;
}

/** Asks for what a tool cannot do without. */
export function wordMissing(conversation: Conversation, choice: Choice, asked: Reading): string {
  const own = phrases[conversation.language];
  const { extraction } = choice;
  const large = tooLarge(choice, asked);
  if (large) {
    const quoted = quotes(quotedAmounts(asked, large.over), conversation);
    return closing(own.tooLarge(quoted, large.most.toLocaleString(own.locale)), conversation);
  }
  const ranges = extraction.missing.length > 0 ? rangesIn(asked) : [];
  if (ranges.length > 0) return closing(own.range(quotes(ranges, conversation)), conversation);
  if (extraction.most !== null) return closing(own.tooMany(extraction.most), conversation);
  if (extraction.unread.length > 0)
    return closing(own.unread(quotes(extraction.unread, conversation)), conversation);
  if (choice.profile.tool.name === GENERATE_REPORT)
    return closing(whichReport(conversation.language), conversation);
  const missing = extraction.missing.map((property) => askFor(property, conversation));
  const list = (missing.length > 0 ? missing : [own.noDetails]).map((each) => `- ${each}`).join('\n');
  return closing(paragraphs(`${own.missing}\n${list}`, own.askMissing), conversation);
}
