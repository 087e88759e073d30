import { folded } from '../../common/text/folded-text.js';
import {
  chineseRelations,
  chineseWords,
  relations,
  type SensitiveTopic,
  sensitiveTopics,
  words,
} from './sensitive-words.js';

const listOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

const escaped = (text: string): string => text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);

/** One of the words, whole; those of Chinese wherever they stand. */
const patternOf = (latin: string, chinese: string): RegExp => {
  const alternatives = listOf(latin).map((word) =>
    escaped(word)
      .replaceAll('_', ' ')
      .replaceAll('*', String.raw`[\p{L}\d]*`),
  );
  const whole = String.raw`(?<![\p{L}\d])(?:${alternatives.join('|')})(?![\p{L}\d])`;
  return new RegExp(`${whole}|${listOf(chinese).map(folded).join('|')}`, 'u');
};

const patterns: readonly (readonly [SensitiveTopic, RegExp])[] = sensitiveTopics.map((topic) => [
  topic,
  patternOf(words[topic], chineseWords[topic]),
]);

const somebody = patternOf(relations, chineseRelations);

/** What sensitive thing a text tells of a person; null: nothing that could be told by its words. */
export const sensitiveTopicIn = (text: string): SensitiveTopic | null => {
  const plain = folded(text);
  return patterns.find(([, pattern]) => pattern.test(plain))?.[0] ?? null;
};

/** A note as far as its owner is concerned. */
export interface AboutSomebody {
  kind: string;
  subject: string;
  content: string;
}

/** Whether a note tells of somebody else than the member of this name, as far as that can be told without a model. */
export const isAboutSomebodyElse = ({ kind, subject, content }: AboutSomebody, member: string): boolean => {
  if (kind === 'CONTACT') return true;
  const named = folded(subject).trim();
  if (named === folded(member).trim()) return false;
  if (somebody.test(named) || somebodyOf.test(folded(content))) return true;
  return kind !== 'PROJECT' && looksLikeName(subject, content) && !isPartOf(named, member);
};

/** "My mother is …": a note begins with whom it is about. */
const somebodyOf = new RegExp(
  String.raw`^(?:mon|ma|mes|son|sa|my|her|his|our|notre|mi|mis|su|nuestr[oa]|我(?:的|們的)?|他的|她的) ?(?:\S{1,20} )?(?:${somebody.source})`,
  'u',
);

/** Two words with capitals; or one that the content says again with a capital, and that names no sensitive thing itself. */
const looksLikeName = (subject: string, content: string): boolean => {
  const capitalised = subject.match(/(?<!\p{L})\p{Lu}\p{L}+/gu) ?? [];
  if (capitalised.length > 1) return capitalised.length === subject.match(/\p{L}+/gu)?.length;
  const [only] = capitalised;
  return only !== undefined && content.includes(only) && sensitiveTopicIn(only) === null;
};

const isPartOf = (named: string, member: string): boolean =>
  folded(member)
    .split(/[\s-]+/)
    .includes(named);
