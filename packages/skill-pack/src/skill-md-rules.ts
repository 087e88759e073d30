import { type Fields, readFields, splitFrontMatter } from './front-matter.js';
import { PackRefused } from './pack-refused.js';
import {
  decode,
  inShort,
  isText,
  knownKeys,
  lengthOf,
  MAX_DESCRIPTION,
  MAX_NAME,
  nameIn,
  unknownKeysOf,
} from './skill-md.js';

const MAX_COMPATIBILITY = 500;
const MAX_LINES = 500;
const MAX_TOKENS = 5000;

/** A longer body certainly exceeds the limit of tokens. */
const MAX_COUNTED_CHARACTERS = 100_000;

/**
 * All violations of the open format's rules, each with what to do. Empty: none. `folder` as for parseSkillMd; null
 * skips the comparison.
 */
export function checkStrictly(
  content: Uint8Array,
  folder: string | null,
  countTokens: (text: string) => number,
): string[] {
  try {
    const { yaml, linesBefore, body } = splitFrontMatter(decode(content));
    const fields = readFields(yaml, linesBefore);
    return [
      ...nameFaults(fields, folder),
      ...descriptionFaults(fields),
      ...optionalFaults(fields),
      ...keyFaults(fields),
      ...bodyFaults(body, countTokens),
    ];
  } catch (error) {
    if (error instanceof PackRefused) return [error.message];
    throw error;
  }
}

function nameFaults(fields: Fields, folder: string | null): string[] {
  const name = nameIn(fields);
  if (name === null) return ['The name is missing: give it that of the folder.'];
  const faults: string[] = [];
  if (lengthOf(name) > MAX_NAME) faults.push(`The name is longer than ${MAX_NAME} characters: shorten it.`);
  if (!/^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}-]*$/u.test(name))
    faults.push(`The name ${inShort(name)} may have lowercase letters, digits and hyphens alone: rename it.`);
  if (/^-|-$|--/.test(name))
    faults.push('The name begins or ends with a hyphen or has two in a row: take them out.');
  if (folder !== null && folder.normalize('NFKC') !== name)
    faults.push(
      `The name ${inShort(name)} is not that of the folder, ${inShort(folder)}: make them the same.`,
    );
  return faults;
}

function descriptionFaults(fields: Fields): string[] {
  const value = fields.get('description');
  if (!isText(value)) return ['The description is missing: say what the skill does and when to use it.'];
  return lengthOf(value.trim()) > MAX_DESCRIPTION
    ? [`The description is longer than ${MAX_DESCRIPTION} characters: shorten it.`]
    : [];
}

function optionalFaults(fields: Fields): string[] {
  const faults: string[] = [];
  for (const key of ['license', 'compatibility', 'allowed-tools'])
    if (fields.has(key) && !isText(fields.get(key)))
      faults.push(`The key ${key} has to be text: write it on one line, or leave it out.`);
  const compatibility = fields.get('compatibility');
  if (isText(compatibility) && lengthOf(compatibility) > MAX_COMPATIBILITY)
    faults.push(`The key compatibility is longer than ${MAX_COMPATIBILITY} characters: shorten it.`);
  const metadata = fields.get('metadata');
  const isTextMap =
    metadata instanceof Map && [...metadata.values()].every((value) => typeof value === 'string');
  if (fields.has('metadata') && !isTextMap)
    faults.push('The key metadata has to hold pairs of names and text: take out what is nested deeper.');
  return faults;
}

function keyFaults(fields: Fields): string[] {
  return unknownKeysOf(fields).map(
    (key) =>
      `The format knows no key ${key}: take it out, or put it below metadata (${knownKeys.join(', ')}).`,
  );
}

function bodyFaults(body: string, countTokens: (text: string) => number): string[] {
  const faults: string[] = [];
  const lines = body.split('\n').length;
  if (lines > MAX_LINES)
    faults.push(`The instructions have ${lines} lines: move all beyond ${MAX_LINES} to references/.`);
  const tokens = body.length > MAX_COUNTED_CHARACTERS ? Infinity : countTokens(body);
  if (tokens > MAX_TOKENS) {
    const length = Number.isFinite(tokens) ? `${tokens} tokens` : `${body.length} characters`;
    faults.push(`The instructions have ${length}: move all beyond ${MAX_TOKENS} tokens to references/.`);
  }
  return faults;
}
