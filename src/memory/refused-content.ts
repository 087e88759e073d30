import { folded, holdsSecret, plainLine } from '@palabre/text';
import type { JsonObject, JsonValue } from '@palabre/json';

import {
  chineseRelations,
  chineseWords,
  relations,
  type SensitiveTopic,
  sensitiveTopics,
  words,
} from './sensitive-words.js';

/** Why a note is refused: SECRET is a password or key; SENSITIVE is personal data that the law protects more. */
export type RefusedContent = 'SECRET' | 'SENSITIVE';

interface OfferedNote {
  kind: string;
  subject: string;
  content: string;
  attributes?: JsonObject;
}

/** Null: accepted. Secrets are refused, and sensitive data about others, who did not consent. */
export function refusedWhenAsked(note: OfferedNote, member: string): RefusedContent | null {
  const texts = textsOf(note);
  if (texts.some(holdsSecret)) return 'SECRET';
  return isAboutSomebodyElse(note, member) && texts.some(isSensitive) ? 'SENSITIVE' : null;
}

/** Checks a note that nobody asked for. Sensitive data about the member are refused too. */
export function refusedUnasked(note: OfferedNote): RefusedContent | null {
  const texts = textsOf(note);
  if (texts.some(holdsSecret)) return 'SECRET';
  return texts.some(isSensitive) ? 'SENSITIVE' : null;
}

function isSensitive(text: string): boolean {
  return sensitiveTopicIn(text) !== null;
}

/** Content with its subject, values with their keys, normalized as for storing, which removes hidden characters. */
function textsOf({ subject, content, attributes = {} }: OfferedNote): string[] {
  return [
    content,
    `${subject}: ${content}`,
    ...Object.entries(attributes).flatMap(([key, value]) =>
      wordsOf(value).map((text) => `${key.replaceAll('_', ' ')}: ${text}`),
    ),
  ].map(plainLine);
}

function wordsOf(value: JsonValue): string[] {
  if (value === null || typeof value === 'boolean') return [];
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([key, inner]) => [key, ...wordsOf(inner)]);
  return [String(value)];
}

function listOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

function escaped(text: string): string {
  return text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Matches whole words of Latin script, and Chinese words anywhere. */
function patternOf(latin: string, chinese: string): RegExp {
  const alternatives = listOf(latin).map((word) =>
    escaped(word)
      .replaceAll('_', ' ')
      .replaceAll('*', String.raw`[\p{L}\d]*`),
  );
  const whole = String.raw`(?<![\p{L}\d])(?:${alternatives.join('|')})(?![\p{L}\d])`;
  return new RegExp(`${whole}|${listOf(chinese).map(folded).join('|')}`, 'u');
}

const patterns: readonly (readonly [SensitiveTopic, RegExp])[] = sensitiveTopics.map((topic) => [
  topic,
  patternOf(words[topic], chineseWords[topic]),
]);

const somebody = patternOf(relations, chineseRelations);

/** The sensitive topic of a text, by its words; null: none found. */
function sensitiveTopicIn(text: string): SensitiveTopic | null {
  const plain = folded(text);
  return patterns.find(([, pattern]) => pattern.test(plain))?.[0] ?? null;
}

interface AboutSomebody {
  kind: string;
  subject: string;
  content: string;
}

/** Whether a note is about somebody else than the member of this name, by rules and without a model. */
function isAboutSomebodyElse({ kind, subject, content }: AboutSomebody, member: string): boolean {
  if (kind === 'CONTACT') return true;
  const named = folded(subject).trim();
  if (named === folded(member).trim()) return false;
  if (somebody.test(named) || somebodyOf.test(folded(content))) return true;
  return kind !== 'PROJECT' && looksLikeName(subject, content) && !isPartOf(named, member);
}

/** A note begins with the person it is about: "My mother is …". */
const somebodyOf = new RegExp(
  String.raw`^(?:mon|ma|mes|son|sa|my|her|his|our|notre|mi|mis|su|nuestr[oa]|我(?:的|們的)?|他的|她的) ?(?:\S{1,20} )?(?:${somebody.source})`,
  'u',
);

/** Two words with capitals, or one that the content repeats with a capital and that is not a sensitive word. */
function looksLikeName(subject: string, content: string): boolean {
  const capitalised = subject.match(/(?<!\p{L})\p{Lu}\p{L}+/gu) ?? [];
  if (capitalised.length > 1) return capitalised.length === subject.match(/\p{L}+/gu)?.length;
  const [only] = capitalised;
  return only !== undefined && content.includes(only) && sensitiveTopicIn(only) === null;
}

function isPartOf(named: string, member: string): boolean {
  return folded(member)
    .split(/[\s-]+/)
    .includes(named);
}
