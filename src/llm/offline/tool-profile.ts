import type { JsonValue } from '../../common/json.js';
import type { RequestTool } from './protocol.js';
import { asObject, asText, strings } from './json-access.js';
import { type Meaning, meaningsOf, weightOf } from './reading/meaning.js';
import { fold } from './reading/fold.js';
import { sentencesOf } from './reading/read.js';

/** READ tells, WRITE changes something, OTHER works something out. */
export type ToolKind = 'READ' | 'WRITE' | 'OTHER';

/** A tool as far as its choice goes: what it speaks of, and how prominently. */
export interface ToolProfile {
  tool: RequestTool;
  kind: ToolKind;
  /** 0 to 1: its name speaks of a meaning fully, its description more than its parameters. */
  relevance: (meaning: Meaning) => number;
  inName: (meaning: Meaning) => boolean;
}

const reading =
  /^(?:get|list|find|read|show|search|retrieve|fetch|lookup|recall|load|consult|describe)(?:_|$)/;
const writing =
  /^(?:update|set|save|write|create|add|remember|record|delete|forget|remove|send|edit|change|store)(?:_|$)/;
const sayingWhenNot =
  /\b(?:do not|don't|not for|never|ne pas|n'utilise|jamais|no (?:la |lo )?us(?:e|ar)|nunca|instead)\b|不要|請勿/;

const longestSchemaText = 20_000;

/** All that a schema says in words: names, descriptions, enum values. */
function schemaText(schema: JsonValue, depth = 0): string {
  if (depth > 8) return '';
  const { properties, items, description } = asObject(schema);
  const children = Object.entries(asObject(properties)).map(
    ([name, child]) => `${name}\n${schemaText(child, depth + 1)}`,
  );
  const own = [asText(description), ...strings(asObject(schema)['enum'])].join('\n');
  return [own, ...children, items ? schemaText(items, depth + 1) : ''].join('\n').slice(0, longestSchemaText);
}

const kindOf = (name: string): ToolKind => {
  const folded = fold(name.replace(/([a-z])([A-Z])/g, '$1_$2')).replaceAll('-', '_');
  if (writing.test(folded)) return 'WRITE';
  return reading.test(folded) ? 'READ' : 'OTHER';
};

/** A set of meanings asked often: known ones by their key, other words by likeness. */
function within(meanings: readonly Meaning[]): (meaning: Meaning) => boolean {
  const known = new Set(meanings.map(({ key }) => key));
  return (meaning) => known.has(meaning.key);
}

export function profileOf(tool: RequestTool): ToolProfile {
  const told = sentencesOf(tool.description).filter((sentence) => !sayingWhenNot.test(fold(sentence)));
  const inName = within(meaningsOf(tool.name.replaceAll('-', '_')));
  const inDescription = within(meaningsOf(told.join('\n')));
  const inParameters = within(meaningsOf(schemaText(tool.parameters)));
  const relevance = (meaning: Meaning): number => {
    if (inName(meaning)) return 1;
    if (inDescription(meaning)) return 0.6;
    return inParameters(meaning) ? 0.45 : 0;
  };
  return { tool, kind: kindOf(tool.name), relevance, inName };
}

/** How much of what was said a tool speaks of. */
export interface Fit {
  /** The sum of what each meaning tells, times how prominently the tool speaks of it. */
  score: number;
  /** Of all that the meanings tell, `total`, what the tool speaks of at all. */
  matched: number;
  total: number;
}

export function match(profile: ToolProfile, said: readonly Meaning[]): Fit {
  const fit: Fit = { score: 0, matched: 0, total: 0 };
  for (const meaning of new Map(said.map((each) => [each.key, each])).values()) {
    const weight = weightOf(meaning);
    const relevance = profile.relevance(meaning);
    fit.total += weight;
    fit.score += relevance * weight;
    if (relevance > 0) fit.matched += weight;
  }
  return fit;
}
