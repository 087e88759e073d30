import type { JsonValue } from '../../common/json.js';
import type { RequestTool } from './server/protocol.js';
import { asObject, asText, strings } from './json-access.js';
import { type Meaning, meaningsOf, weightOf } from './reading/words/meaning.js';
import { fold } from './reading/words/fold.js';
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
  /** Its name says what it deals with, and not only what it does with it: `find_financing`. */
  hasMatter: boolean;
  /** Writes down facts of the user's company. */
  keepsCompany: boolean;
  /** Writes only where it is ordered to, and not what is said in passing. */
  onlyOnOrder: boolean;
}

const reading =
  /^(?:get|list|find|read|show|search|retrieve|fetch|lookup|recall|load|consult|describe)(?:_|$)/;
const writing =
  /^(?:update|set|save|write|create|add|remember|record|delete|forget|remove|send|edit|change|store)(?:_|$)/;
const sayingWhenNot =
  /\b(?:do not|don't|not for|never|ne pas|n'utilise|ne (?:sert|convient) pas|jamais|no (?:la |lo )?us(?:e|ar)|no (?:sirve|es para)|nunca|instead)\b|不要|請勿|不適用/;

/** Whether a sentence of a description says what something is not for. */
export const tellsWhenNot = (sentence: string): boolean => sayingWhenNot.test(fold(sentence));

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

/** What is a kind of something else: what finds finance by its name finds grants. */
const kindsOf: ReadonlyMap<string, string> = new Map([
  ['grant', 'financing'],
  ['loan', 'financing'],
  ['guarantee', 'financing'],
]);

/** What is to be done, whatever with. */
const doing: ReadonlySet<string> = new Set(['search', 'show', 'calculate', 'summarise', 'translate']);

/** Whether a meaning says what a request is about: «un restaurant» of «trouve un restaurant». */
export const isMatter = ({ key }: Meaning): boolean => !doing.has(key);

/** A set of meanings asked often. */
function within(meanings: readonly Meaning[]): (meaning: Meaning) => boolean {
  const known = new Set(meanings.map(({ key }) => key));
  return ({ key }) => known.has(key);
}

const companyItself: Meaning = { key: 'company', known: true, start: 0, end: 0 };

/** `keepsFacts`: the assistant is to write down what a person says of their company. */
export function profileOf(tool: RequestTool, keepsFacts = true): ToolProfile {
  const told = sentencesOf(tool.description).filter((sentence) => !tellsWhenNot(sentence));
  const nameMeanings = meaningsOf(tool.name.replaceAll('-', '_'));
  const named = within(nameMeanings);
  const inName = (meaning: Meaning): boolean =>
    named(meaning) || named({ ...meaning, key: kindsOf.get(meaning.key) ?? meaning.key });
  const inDescription = within(meaningsOf(told.join('\n')));
  const inParameters = within(meaningsOf(schemaText(tool.parameters)));
  const relevance = (meaning: Meaning): number => {
    if (inName(meaning)) return 1;
    if (inDescription(meaning)) return 0.6;
    return inParameters(meaning) ? 0.45 : 0;
  };
  const kind = kindOf(tool.name);
  const keepsCompany = kind === 'WRITE' && named(companyItself);
  const hasMatter = nameMeanings.some((meaning) => meaning.known && isMatter(meaning));
  return { tool, kind, relevance, inName, hasMatter, keepsCompany, onlyOnOrder: keepsCompany && !keepsFacts };
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

/** Whether a tool makes files, which nobody wants who does not ask for them in so many words. */
export const makesFiles = ({ tool }: ToolProfile): boolean =>
  /^(?:generate|produce|export|render|make|create|write)_(?:\w+_)?(?:report|document|file|pdf|docx)s?$/.test(
    tool.name,
  );
