import { measuresIn, quotedAmounts } from '../arguments/item-extraction.js';
import { itemShape } from '../arguments/item-shape.js';
import { enumOf, ownDescription, type Property } from '../arguments/property.js';
import type { Conversation } from '../conversation.js';
import { type Reading, sentencesOf } from '../reading/read.js';
import type { Choice } from '../tool-choice.js';
import type { ToolProfile } from '../tool-profile.js';
import { closing, paragraphs, quotes } from './answer.js';
import { fieldName } from './field-names.js';
import { type Phrases, phrases } from './phrases.js';
import { shortened } from './shortened.js';

const mostUnits = 7;
const longestDescription = 160;

/** How a property is asked for: by what its schema says of it. */
function asked(property: Property, { language }: Conversation): string {
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

/** Asks for what a tool cannot do without. */
export function wordMissing(conversation: Conversation, { extraction }: Choice): string {
  const own = phrases[conversation.language];
  if (extraction.most !== null) return closing(own.tooMany(extraction.most), conversation);
  if (extraction.unread.length > 0)
    return closing(own.unread(quotes(extraction.unread, conversation)), conversation);
  const missing = extraction.missing.map((property) => asked(property, conversation));
  const list = (missing.length > 0 ? missing : [own.noDetails]).map((each) => `- ${each}`).join('\n');
  return closing(paragraphs(`${own.missing}\n${list}`, own.askMissing), conversation);
}
