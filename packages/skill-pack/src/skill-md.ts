import { isUtf8 } from 'node:buffer';
import { singleLine } from '@palabre/text';

import { type Fields, readFields, splitFrontMatter, withQuotedValues } from './front-matter.js';
import { PackRefused } from './pack-refused.js';
import { type PackRemark, packRemark } from './pack-remark.js';

interface SkillMd {
  /** From the front matter, NFKC. Null: none. */
  name: string | null;
  /** The first heading of the body. Null: none. */
  title: string | null;
  /** One line. */
  description: string;
  /** The keys in `palabre-assistants` of the metadata. Null: all assistants. */
  assistants: string[] | null;
  /** The instructions, without front matter. */
  body: string;
  /** Faults that its author should correct. It still works. */
  warnings: PackRemark[];
}

/** A limit of the open format. */
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
 * Reads a SKILL.md leniently, as clients of the open format should: faults become warnings. Throws PackRefused for a
 * missing description, invalid front matter, or text that is not UTF-8. `folder`: its own folder without parents.
 * Null: none.
 */
export function parseSkillMd(content: Uint8Array, folder: string | null): SkillMd {
  const { yaml, linesBefore, body } = splitFrontMatter(decode(content));
  const warnings: PackRemark[] = [];
  const fields = readLeniently(yaml, linesBefore, warnings);
  const name = nameIn(fields);
  const description = descriptionIn(fields, warnings);
  warnings.push(...nameOddities(name, folder), ...unknownKeys(fields));
  if (body === '') warnings.push(packRemark('NO_INSTRUCTIONS'));
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

function readLeniently(yaml: string, linesBefore: number, warnings: PackRemark[]): Fields {
  try {
    return readFields(yaml, linesBefore);
  } catch (error) {
    const fields = readWithQuotes(yaml);
    if (!fields) throw error;
    warnings.push(packRemark('INVALID_YAML'));
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

function descriptionIn(fields: Fields, warnings: PackRemark[]): string {
  const value = fields.get('description');
  if (Array.isArray(value) || value instanceof Map)
    throw new PackRefused('The description in the front matter has to be text.');
  const description = isText(value) ? oneLine(value) : '';
  if (description === '')
    throw new PackRefused(
      'The front matter has no description: say there what the skill does and when to use it.',
    );
  if (lengthOf(description) <= MAX_DESCRIPTION) return description;
  warnings.push(packRemark('LONG_DESCRIPTION', { most: String(MAX_DESCRIPTION) }));
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

function nameOddities(name: string | null, folder: string | null): PackRemark[] {
  if (name === null) return [packRemark(folder === null ? 'NO_NAME' : 'NO_NAME_IN_FOLDER')];
  const oddities: PackRemark[] = [];
  if (lengthOf(name) > MAX_NAME) oddities.push(packRemark('LONG_NAME', { most: String(MAX_NAME) }));
  if (folder !== null && folder.normalize('NFKC') !== name)
    oddities.push(packRemark('NAME_NOT_FOLDER', { name: inShort(name), folder: inShort(folder) }));
  return oddities;
}

function unknownKeys(fields: Fields): PackRemark[] {
  const unknown = unknownKeysOf(fields);
  return unknown.length === 0 ? [] : [packRemark('UNKNOWN_KEYS', { keys: unknown.join(', ') })];
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
