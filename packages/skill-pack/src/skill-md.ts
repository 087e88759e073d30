import { isUtf8 } from 'node:buffer';
import { singleLine } from '@palabre/text';

import { type Fields, readFields, splitFrontMatter, withQuotedValues } from './front-matter.js';
import { PackRefused } from './pack-refused.js';

/** What a SKILL.md says. */
interface SkillMd {
  /** Of the front matter, NFKC; null: it gives none. */
  name: string | null;
  /** The first heading of the body; null: it has none. */
  title: string | null;
  /** One line. */
  description: string;
  /** The keys in `palabre-assistants` of the metadata; null: it is for all. */
  assistants: string[] | null;
  /** The instructions, without front matter. */
  body: string;
  /** What its author should mend; it works nevertheless. */
  warnings: string[];
}

/** Of the open format. */
export const MAX_NAME = 64;
export const MAX_DESCRIPTION = 1024;
export const knownKeys = [
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
] as const;

const MAX_TITLE = 120;
const MAX_ASSISTANTS = 50;

/**
 * Reads a SKILL.md as clients of the open format should: what is odd becomes a warning. Throws PackRefused when there is
 * no description, the front matter cannot be understood or the text is not UTF-8. `folder`: the folder that it stands
 * in, without those above it; null: in none.
 */
export function parseSkillMd(content: Uint8Array, folder: string | null): SkillMd {
  const { yaml, linesBefore, body } = splitFrontMatter(decode(content));
  const warnings: string[] = [];
  const fields = readLeniently(yaml, linesBefore, warnings);
  const name = nameIn(fields);
  const description = descriptionIn(fields, warnings);
  warnings.push(...nameOddities(name, folder), ...unknownKeys(fields));
  if (body === '') warnings.push('There are no instructions below the front matter.');
  return { name, title: titleOf(body), description, assistants: assistantsIn(fields), body, warnings };
}

/** Throws PackRefused for anything but UTF-8 text, with or without a byte order mark. */
export function decode(content: Uint8Array): string {
  const [first, second] = content;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16 || !isUtf8(content))
    throw new PackRefused(
      `The SKILL.md is not UTF-8 text${isUtf16 ? ', but UTF-16' : ''}: save it as UTF-8.`,
    );
  const text = new TextDecoder().decode(content);
  if (text.includes('\0')) throw new PackRefused('The SKILL.md is not a text file: save it as UTF-8 text.');
  return text;
}

function readLeniently(yaml: string, linesBefore: number, warnings: string[]): Fields {
  try {
    return readFields(yaml, linesBefore);
  } catch (error) {
    const fields = readWithQuotes(yaml);
    if (!fields) throw error;
    warnings.push(
      'The front matter is no valid YAML and was read as it seems to be meant: put values with colons in quotes.',
    );
    return fields;
  }
}

function readWithQuotes(yaml: string): Fields | null {
  try {
    return readFields(withQuotedValues(yaml));
  } catch {
    return null;
  }
}

/** Null: no name, or one that is not text. */
export function nameIn(fields: Fields): string | null {
  const value = fields.get('name');
  return isText(value) ? oneLine(value).normalize('NFKC') : null;
}

function descriptionIn(fields: Fields, warnings: string[]): string {
  const value = fields.get('description');
  if (Array.isArray(value) || value instanceof Map)
    throw new PackRefused('The description in the front matter has to be text.');
  const description = isText(value) ? oneLine(value) : '';
  if (description === '')
    throw new PackRefused(
      'The front matter has no description: say there what the skill does and when to use it.',
    );
  if (lengthOf(description) <= MAX_DESCRIPTION) return description;
  warnings.push(
    `The description is longer than ${MAX_DESCRIPTION} characters: models are shown the beginning alone.`,
  );
  return `${[...description]
    .slice(0, MAX_DESCRIPTION - 1)
    .join('')
    .trimEnd()}…`;
}

function assistantsIn(fields: Fields): string[] | null {
  const metadata = fields.get('metadata');
  const value: unknown = metadata instanceof Map ? metadata.get('palabre-assistants') : null;
  const keys = isText(value)
    ? oneLine(value)
        .split(/[\s,]+/)
        .filter((key) => key !== '')
    : [];
  return keys.length === 0 ? null : keys.slice(0, MAX_ASSISTANTS);
}

/** YAML's words for null do not count as text. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && !['', '~', 'null'].includes(value.trim().toLowerCase());
}

function nameOddities(name: string | null, folder: string | null): string[] {
  if (name === null)
    return folder === null
      ? ['The front matter has no name.']
      : ['The front matter has no name: the folder’s is used.'];
  const oddities: string[] = [];
  if (lengthOf(name) > MAX_NAME) oddities.push(`The name is longer than ${MAX_NAME} characters.`);
  if (folder !== null && folder.normalize('NFKC') !== name)
    oddities.push(
      `The name ${inShort(name)} is not that of the folder, ${inShort(folder)}: it is known by the folder’s.`,
    );
  return oddities;
}

function unknownKeys(fields: Fields): string[] {
  const unknown = unknownKeysOf(fields);
  return unknown.length === 0
    ? []
    : [`The front matter has keys that the format does not know: ${unknown.join(', ')}.`];
}

export function unknownKeysOf(fields: Fields): string[] {
  return [...fields.keys()]
    .filter((key) => !(knownKeys as readonly string[]).includes(key))
    .slice(0, 10)
    .map(inShort);
}

/** Characters as people count them, not units of UTF-16. */
export function lengthOf(text: string): number {
  return [...text].length;
}

export function inShort(text: string): string {
  return singleLine(text, 80);
}

export function oneLine(text: string): string {
  return singleLine(text, Infinity);
}

/** The first heading outside code. */
function titleOf(body: string): string | null {
  let fence: string | null = null;
  for (const line of body.split('\n')) {
    const [, mark = null] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === null) fence = mark;
    else if (mark?.startsWith(fence)) fence = null;
    if (fence !== null || mark !== null || line.length > 1000) continue;
    const [, heading = ''] = /^ {0,3}#{1,6}[ \t]+(\S.*)$/.exec(line) ?? [];
    const title = oneLine(heading.replace(/\s#+\s*$/, '').replaceAll(/\*\*|__|`/g, ''));
    if (title !== '') return title.slice(0, MAX_TITLE).toWellFormed().trimEnd();
  }
  return null;
}
