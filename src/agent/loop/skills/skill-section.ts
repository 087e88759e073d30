import { LRUCache } from 'lru-cache';
import { folded, singleLine } from '@palabre/text';

import type { PackSummary, SkillOffer, TokenCounter } from '../agent-ports.js';
import { fill, type Wording, wordingIn } from '../../../common/wording/wording.js';
import type { Step } from '../prompt/prompt.js';
import { fittingPacks, type PackInTurn, packsLoadedIn, packText } from './loaded-packs.js';
import { arePacksMany, deferredTools } from './offered-tools.js';

interface SkillSection {
  text: string;
  /** The keys of the packs whose instructions it contains. */
  loaded: string[];
}

const MAX_KEY = 120;
const MAX_DESCRIPTION = 1024;
/** The most keys without descriptions, and the most categories, in a prompt. */
const MAX_KEYS = 300;
const MAX_CATEGORIES = 60;
/** The most keys of switched-off skills in a prompt. */
const MAX_OFF = 30;

/** Sorted, for providers' prefix caches. `loadedTokens`: the limit for all instructions. */
export function skillSection(
  offer: SkillOffer,
  steps: readonly Step[],
  {
    language,
    tokens,
    loadedTokens,
    question = '',
  }: { language: string; tokens: TokenCounter; loadedTokens: number; question?: string },
): SkillSection {
  const labels = wordingIn(language).skillUse;
  const versions = new Map(offer.packs.map(({ key, version }) => [key, version]));
  // A pack that was switched off or changed is no longer in force from the next model call on, because its files are
  // the current ones.
  const loaded = packsLoadedIn(steps).filter(({ key }) => versions.has(key));
  const isSame = ({ key, version }: PackInTurn): boolean => versions.get(key) === version;
  const inForce = loaded.filter(isSame);
  const changed = loaded.filter((pack) => !isSame(pack));
  const { kept, left } = fittingPacks(inForce, loadedTokens, tokens);
  const parts = [
    ...(offer.isTooLarge ? [fill(labels.manySkills, { count: deferredTools(offer).length })] : []),
    ...catalogue(offer.packs, labels),
    ...(offer.tools.length + offer.packs.length === 0 ? [wordingIn(language).prompt.noSkill] : []),
    ...offPart(offer, question, labels),
    ...(hasResults(offer, steps) ? [labels.resultsAreData] : []),
    ...(left.length > 0
      ? [fill(labels.loadedLeftOut, { keys: left.map(({ key }) => lineOfKey(key)).join(', ') })]
      : []),
    ...(changed.length > 0
      ? [fill(labels.loadedChanged, { keys: changed.map(({ key }) => lineOfKey(key)).join(', ') })]
      : []),
    ...(kept.length > 0 ? [[`### ${labels.loadedTitle}`, ...kept.map(packText)].join('\n\n')] : []),
  ];
  return { text: parts.join('\n\n'), loaded: kept.map(({ key }) => key) };
}

/** The prompt mentions a switched-off skill only if the user names it. */
function offPart({ off = [] }: SkillOffer, question: string, labels: Wording['skillUse']): string[] {
  if (off.length === 0) return [];
  const asked = { text: folded(question), words: wordsOf(question) };
  const isNamed = (name: string): boolean => {
    const isWord = asked.words.includes(nameWords.memo(name));
    return isWord || (HAN.test(name) && asked.text.includes(folded(name)));
  };
  const named = off.filter(({ key, name }) => isNamed(key) || isNamed(name));
  const keys = named.slice(0, MAX_OFF).map(({ key }) => lineOfKey(key));
  return keys.length === 0 ? [] : [fill(labels.switchedOffKeys, { keys: keys.toSorted().join(', ') })];
}

/** Words in the names of switched-off skills, cached because every model call needs them. */
const nameWords = new LRUCache<string, string>({ max: 2_000, memoMethod: (name) => wordsOf(name) });

/** Scripts without blanks between words. */
const HAN = /\p{Script=Han}/u;

/** Words with blanks around them, so that whole names are found: `search_web` is « search web ». */
function wordsOf(text: string): string {
  return ` ${folded(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

function hasResults({ tools, packs }: SkillOffer, steps: readonly Step[]): boolean {
  return tools.length + packs.length > 0 || steps.some(({ calls }) => calls.length > 0);
}

function lineOf(key: string, description: string): string {
  return `- **${lineOfKey(key)}**: ${singleLine(description, MAX_DESCRIPTION)}`;
}

function lineOfKey(key: string): string {
  return singleLine(key, MAX_KEY);
}

function catalogue(packs: readonly PackSummary[], labels: Wording['skillUse']): string[] {
  if (packs.length === 0) return [];
  const isShort = arePacksMany(packs);
  const groups = [...Map.groupBy(packs, ({ category }) => category ?? '')].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const texts = isShort
    ? keyGroups(groups, packs.length, labels)
    : groups.map((group) => describedGroup(group));
  const intro = isShort ? fill(labels.manyPacks, { count: packs.length }) : labels.packsIntro;
  return [[`### ${labels.packsTitle}\n${intro}`, ...texts].join('\n\n')];
}

type Group = [category: string, packs: PackSummary[]];

function describedGroup([category, packs]: Group): string {
  return [
    ...(category === '' ? [] : [`#### ${lineOfKey(category)}`]),
    ...packs.map(({ key, description }) => lineOf(key, description)).toSorted(),
  ].join('\n');
}

/** One line a category. If there are too many keys, their number. */
function keyGroups(groups: readonly Group[], count: number, labels: Wording['skillUse']): string[] {
  const lines = groups.slice(0, MAX_CATEGORIES).map(([category, packs]) => {
    const title = `- ${lineOfKey(category) || labels.noCategory} (${packs.length})`;
    if (count > MAX_KEYS) return title;
    return `${title}: ${packs
      .map(({ key }) => lineOfKey(key))
      .toSorted()
      .join(', ')}`;
  });
  const left = groups.length - lines.length;
  return [[...lines, ...(left > 0 ? [`- … (+${left})`] : [])].join('\n')];
}
