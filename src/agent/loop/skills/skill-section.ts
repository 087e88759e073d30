import { LRUCache } from 'lru-cache';
import { folded, singleLine } from '@palabre/text';

import type { PackSummary, SkillOffer, TokenCounter } from '../agent-ports.js';
import { fill, type Wording, wordingIn } from '../../../common/wording/wording.js';
import type { Step } from '../prompt/prompt.js';
import { fittingPacks, type PackInTurn, packsLoadedIn, packText } from './loaded-packs.js';
import { arePacksMany, deferredTools } from './offered-tools.js';

interface SkillSection {
  text: string;
  /** The keys of the packs whose instructions it holds. */
  loaded: string[];
}

const MAX_KEY = 120;
const MAX_DESCRIPTION = 1024;
/** Of keys without descriptions, and of categories. */
const MAX_KEYS = 300;
const MAX_CATEGORIES = 60;
/** Of keys of what is switched off. */
const MAX_OFF = 30;

/** Sorted, as a provider's prefix cache would miss otherwise. `loadedTokens`: what all instructions may take. */
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
  // What is switched off, or is not what was loaded any more, is out of force from the next model call on: its files
  // are those of now.
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

/** What is switched off is in no prompt, unless the user asks for it by its key or name. */
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

/** Of what may be switched off: it is looked for before every model call. */
const nameWords = new LRUCache<string, string>({ max: 2_000, memoMethod: (name) => wordsOf(name) });

/** Written without blanks between words. */
const HAN = /\p{Script=Han}/u;

/** With a blank around each, so that a name is found as a whole: `search_web` is « search web ». */
function wordsOf(text: string): string {
  return ` ${folded(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

/** Whether there may be any. */
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

/** A line a category. Where even the keys are too many, their number has to do. */
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
