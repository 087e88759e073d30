import { type Document, parseDocument, visit, YAMLError } from 'yaml';

import { PackRefused } from './pack-refused.js';

/** The YAML between the first two lines of `---`, and the text after it. */
interface SplitText {
  yaml: string;
  linesBefore: number;
  body: string;
}

/** Values are texts, lists or Maps. YAML's other types are not used, so that `version: 1.0` stays `1.0`. */
export type Fields = ReadonlyMap<string, unknown>;

/** Far more than name and description need. Long nested YAML is slow to parse. */
const MAX_CHARACTERS = 16_000;

/** Front matter needs no aliases. A few do no harm. */
const MAX_ALIASES = 10;

const TOO_DEEP =
  'The front matter is nested too deep: leave name, description and what belongs to them there, and move the rest below.';

const FENCE = /^---[ \t]*$/;

/** Throws PackRefused for a text without front matter. Accepts any line ends. */
export function splitFrontMatter(text: string): SplitText {
  const lines = text.split(/\r\n|\r|\n/);
  const start = lines.findIndex((line) => line.trim() !== '');
  if (!FENCE.test(lines[start] ?? ''))
    throw new PackRefused(
      'The SKILL.md does not begin with front matter: begin it with a line of ---, then name and description, then another line of ---.',
    );
  const end = lines.findIndex((line, index) => index > start && FENCE.test(line));
  if (end === -1)
    throw new PackRefused('The front matter of the SKILL.md has no end: close it with a line of ---.');
  const yaml = lines.slice(start + 1, end).join('\n');
  if (yaml.length > MAX_CHARACTERS)
    throw new PackRefused(
      `The front matter is longer than ${MAX_CHARACTERS} characters: leave name, description and what belongs to them there, and move the rest below.`,
    );
  const body = lines.slice(end + 1).join('\n');
  return { yaml, linesBefore: start + 1, body: body.trim() };
}

/**
 * The keys and values of front matter. Throws PackRefused with the first error and its line: `linesBefore` counts the
 * file's lines above `yaml`.
 */
export function readFields(yaml: string, linesBefore = 0): Fields {
  let value: unknown;
  try {
    const document = parseDocument(yaml, {
      schema: 'failsafe',
      logLevel: 'silent',
      prettyErrors: true,
      stringKeys: true,
      resolveKnownTags: false,
    });
    // The parser only warns about unknown tags.
    const [fault] = [...document.errors, ...document.warnings];
    if (fault) throw fault;
    checkAliases(document);
    value = document.toJS({ mapAsMap: true, maxAliasCount: -1 });
  } catch (error) {
    if (error instanceof PackRefused) throw error;
    if (isTooDeep(error)) throw new PackRefused(TOO_DEEP, { cause: error });
    // Any other error is the text's fault.
    const reason = `The front matter is no valid YAML (${faultIn(error, linesBefore)}).`;
    throw new PackRefused(reason, { cause: error });
  }
  if (!(value instanceof Map))
    throw new PackRefused('The front matter is not made of lines such as name: value.');
  return value as Fields;
}

/** The stack overflowed. Checked by name, because a test runner has another RangeError class than the engine. */
function isTooDeep(error: unknown): boolean {
  return error instanceof YAMLError
    ? error.code === 'RESOURCE_EXHAUSTION'
    : error instanceof Error && error.name === 'RangeError';
}

/** A few aliases cannot fill the memory: each refers to one shared value. */
function checkAliases(document: Document.Parsed): void {
  let count = 0;
  visit(document, { Alias: () => void (count += 1) });
  if (count > MAX_ALIASES)
    throw new PackRefused(
      `The front matter has too many aliases, more than ${MAX_ALIASES}: write out what they stand for.`,
    );
}

/** The parser's message with the line of the file instead of that of the YAML. */
function faultIn(error: unknown, linesBefore: number): string {
  const message = error instanceof Error ? error.message : String(error);
  const [line = ''] = message.split('\n');
  const words = line
    .replace(/ at line \d+, column \d+:?$/, '')
    .slice(0, 200)
    .replace(/[:.\s]+$/, '');
  const [place] = (error instanceof YAMLError && error.linePos) || [];
  return place ? `${words} at line ${place.line + linesBefore}, column ${place.col}` : words;
}

/**
 * Quotes every plain value, because many authors write `description: Use it when: …`, which is a nested mapping in
 * YAML. A value's further lines become part of it.
 */
export function withQuotedValues(yaml: string): string {
  const lines: string[] = [];
  let open: { start: string; value: string } | null = null;
  const close = (): void => {
    if (open) lines.push(`${open.start}${quoted(open.value)}`);
    open = null;
  };
  // Inside a block or quoted value, whose lines are kept unchanged.
  let isInBlock = false;
  for (const line of yaml.split('\n')) {
    const [, start = '', value = ''] = /^([^\s:#'"[{][^:]*:[ \t]+)(\S.*)$/.exec(line) ?? [];
    const isIndented = /^\s/.test(line);
    if (start !== '') {
      close();
      isInBlock = /^[|>"']/.test(value);
      if (isInBlock || isComplete(value)) lines.push(line);
      else open = { start, value: value.trimEnd() };
    } else if (isInBlock && (isIndented || line === '')) lines.push(line);
    else if (open && isIndented) open = { start: open.start, value: `${open.value} ${line.trim()}` };
    else {
      close();
      isInBlock = false;
      lines.push(quotedWithin(line));
    }
  }
  close();
  return lines.join('\n');
}

/** A line of a nested mapping, such as those below `metadata:`. */
function quotedWithin(line: string): string {
  return line.replace(/^(\s+[^\s:#'"[{-][^:]*:[ \t]+)(\S.*)$/, (all, start: string, value: string) =>
    isComplete(value) ? all : `${start}${quoted(value.trimEnd())}`,
  );
}

/** The value is quoted already, even if not closed on this line, or is a list or mapping on one line. */
function isComplete(value: string): boolean {
  return /^(?:["']|\[.*\]$|\{.*\}$)/.test(value);
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
