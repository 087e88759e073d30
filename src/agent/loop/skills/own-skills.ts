import type { z } from 'zod';
import { toolsBytes, type ToolSpec } from '@palabre/llm-client';
import { singleLine } from '@palabre/text';
import { NoSuchPackFile, PackFileNotText } from '@palabre/skill-pack';
import type { JsonObject } from '@palabre/json';

import { MAX_PREVIEW_CHARACTERS } from '../../../conversations/turns/turn-event.js';
import { fill, type Wording, wordingIn } from '../../../common/wording/wording.js';
import { shownArguments } from '../../../skills/skill-arguments.js';
import { isReservedSkillKey, SkillError } from '../../../skills/skill.js';
import type {
  LoadedPack,
  SkillFacts,
  SkillOffer,
  SkillOutcome,
  SkillPort,
  SkillRequest,
  TokenCounter,
} from '../agent-ports.js';
import { toolsTokens } from '../prompt/prompt-tokens.js';
import {
  INSTRUCTIONS_FILE,
  LOAD_SKILL,
  loadedResult,
  partsOf,
  READ_SKILL_FILE,
  SEARCH_SKILLS,
} from './loaded-packs.js';
import {
  alwaysOffered,
  deferredTools,
  type foundSkill,
  offeredTools,
  searchedTools,
  type ToolFit,
  offeredUnlessTooLarge,
} from './offered-tools.js';
import { failed, succeeded } from './skill-outcome.js';
import { type SearchedSkill, searchSkills } from './skill-search.js';

const MAX_FOUND = 8;
/** Up to this many hidden skills, any search returns all. */
const MAX_HIDDEN_GIVEN = 10;
const MAX_NEAREST = 3;
const MAX_DESCRIPTION = 200;
const MAX_QUERY = 500;
const MAX_KEY = 200;
const MAX_PATH = 500;
const MAX_GROUPS = 40;
/** What a search adds to later prompts, without its result. */
const SEARCH_TOKENS = 100;

type Found = z.infer<typeof foundSkill>;

function asToolName(key: string): string {
  return key.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '_');
}

const ownKeys: ReadonlySet<string> = new Set([LOAD_SKILL, READ_SKILL_FILE, SEARCH_SKILLS]);
const ownFacts: SkillFacts = { isRepeatable: true, input: null, approval: null, effect: null };

/** A turn's skills, and the loop's own: searching for skills, loading instructions and reading their files. */
export class OwnSkills implements SkillPort {
  private readonly labels: Wording['skillUse'];
  private offer: SkillOffer | null = null;
  private fits: ToolFit = () => true;
  /** Instructions in the prompt, including those that are being loaded. */
  private readonly loads = new Map<string, Promise<boolean>>();

  constructor(
    private readonly skills: SkillPort,
    private readonly tokens: TokenCounter,
    private readonly language: string,
    /** The most tokens for the tools of a model call, at this moment. */
    private readonly mostToolTokens: () => number,
  ) {
    this.labels = wordingIn(language).skillUse;
  }

  /** Records the instructions in the prompt of the next model call. */
  showed(keys: readonly string[]): void {
    this.loads.clear();
    for (const key of keys) this.loads.set(key, Promise.resolve(true));
  }

  /** Records what fits into the prompts of the next model call. */
  offering(fits: ToolFit): void {
    this.fits = fits;
  }

  /**
   * Removes skills named like one of the loop's own, which could not be told apart. Only `sized` limits tokens, because
   * counting many tools takes time.
   */
  async list(): Promise<SkillOffer> {
    const { tools, ...others } = await this.skills.list();
    return { ...others, tools: tools.filter(({ name }) => !isReservedSkillKey(name)) };
  }

  /** Resizes the offer, because a window may turn out smaller after listing. */
  sized(offer: SkillOffer): SkillOffer {
    const most = this.mostToolTokens();
    const isTooLarge = this.takesMore(offeredUnlessTooLarge(offer), most);
    // In a small window all tools have to be searched for.
    const areAllSearched = isTooLarge && this.takesMore(alwaysOffered(offer), most);
    this.offer = { ...offer, isTooLarge, ...(areAllSearched && { offered: new Map() }) };
    return this.offer;
  }

  call(
    request: SkillRequest,
    signal: AbortSignal,
    progress: (detail: string) => void,
  ): Promise<SkillOutcome> {
    const input = (): JsonObject => shownArguments(request.arguments);
    if (request.key === LOAD_SKILL) return this.attempt(() => this.load(input(), signal), signal);
    if (request.key === READ_SKILL_FILE) return this.attempt(() => this.readFile(input(), signal), signal);
    if (request.key === SEARCH_SKILLS) return this.attempt(() => this.search(input()), signal);
    const pack = this.packCalled(request.key);
    if (pack !== null) return Promise.resolve(failed(fill(this.labels.toBeLoaded, { key: pack })));
    return this.skills.call(request, signal, progress);
  }

  loadPack(key: string, signal: AbortSignal): Promise<LoadedPack | null> {
    return this.skills.loadPack(key, signal);
  }

  readPackFile(key: string, path: string, signal: AbortSignal): Promise<string | null> {
    return this.skills.readPackFile(key, path, signal);
  }

  factsOf(key: string): SkillFacts {
    return ownKeys.has(key) ? ownFacts : this.skills.factsOf(key);
  }

  faultIn(key: string, argumentsText: string): string | null {
    return ownKeys.has(key) ? null : this.skills.faultIn(key, argumentsText);
  }

  newCallId(): string {
    return this.skills.newCallId();
  }

  /** The pack whose key a model wrote like a skill's: `escrituras_compraventa`. */
  private packCalled(name: string): string | null {
    const { tools = [], packs = [] } = this.offer ?? {};
    if (tools.some((tool) => tool.name === name)) return null;
    return packs.find(({ key }) => asToolName(key) === asToolName(name))?.key ?? null;
  }

  private takesMore(tools: readonly ToolSpec[], most: number): boolean {
    // In every language a token has at least two bytes on average, so most offers are not counted, which would load
    // the tokenizer's tables.
    return toolsBytes(tools) > 2 * most && toolsTokens(tools, this.tokens) > most;
  }

  /** The model hears of correctable errors. Of others it only hears that the call failed. */
  private async attempt(run: () => Promise<SkillOutcome>, signal: AbortSignal): Promise<SkillOutcome> {
    try {
      signal.throwIfAborted();
      return await run();
    } catch (error) {
      signal.throwIfAborted();
      return this.failureOf(error);
    }
  }

  private failureOf(error: unknown): SkillOutcome {
    const { labels } = this;
    if (error instanceof PackFileNotText)
      return failed(fill(labels.notText, { path: singleLine(error.path, MAX_PATH) }));
    if (!(error instanceof NoSuchPackFile)) {
      const outcome = failed(error instanceof SkillError ? error.message : labels.failed);
      // Faults of a pack are in English, for the model and the pack's author.
      return { ...outcome, preview: labels.failed };
    }
    const { file, isPack, nearest } = error;
    const words = [
      fill(labels.noSuchFile, { key: file.key, path: file.path }),
      ...(isPack ? [labels.isPack] : []),
      ...(nearest.length > 0 ? [fill(labels.nearestPacks, { keys: nearest.join(', ') })] : []),
    ];
    return failed(words.join(' '));
  }

  private async load(input: JsonObject, signal: AbortSignal): Promise<SkillOutcome> {
    const key = textIn(input, 'skill', MAX_KEY).normalize('NFC');
    if (key === '') return failed(this.labels.keyMissing);
    const earlier = this.loads.get(key);
    if (earlier && (await earlier)) return succeeded({ note: this.labels.loadedAlready }, key);
    const loading = this.skills.loadPack(key, signal);
    const isLoaded = loading.then((pack) => pack !== null);
    this.loads.set(
      key,
      isLoaded.catch(() => false),
    );
    const pack = await loading;
    if (!pack) return this.noSuchPack(key);
    const result = loadedResult(key, pack, this.tokens, this.language);
    return { status: 'SUCCEEDED', result, preview: singleLine(key, MAX_PREVIEW_CHARACTERS), isSized: true };
  }

  private async readFile(input: JsonObject, signal: AbortSignal): Promise<SkillOutcome> {
    const key = textIn(input, 'skill', MAX_KEY).normalize('NFC');
    if (key === '') return failed(this.labels.keyMissing);
    const path = textIn(input, 'path', MAX_PATH).replace(/^(?:\.\/+)+/, '');
    const isInstructions = path.toLowerCase() === INSTRUCTIONS_FILE.toLowerCase();
    const content = isInstructions
      ? ((await this.skills.loadPack(key, signal))?.instructions ?? null)
      : await this.skills.readPackFile(key, path, signal);
    if (content === null) return this.noSuchPack(key);
    const parts = partsOf(content);
    const part = numberIn(input, 'part');
    const text = parts[part - 1];
    if (text === undefined) return failed(fill(this.labels.noSuchPart, { parts: parts.length }));
    const preview = `${key}: ${path}${parts.length > 1 ? ` (${part}/${parts.length})` : ''}`;
    return succeeded({ skill: key, path, part, parts: parts.length, text }, preview);
  }

  private async search(input: JsonObject): Promise<SkillOutcome> {
    const query = textIn(input, 'query', MAX_QUERY);
    if (query === '') return failed(this.labels.queryMissing);
    const offer = this.offer ?? this.sized(await this.list());
    const found = foundIn(offer, query);
    const { nothingFound, howToUse, foundTooLarge } = this.labels;
    if (found.length === 0)
      return succeeded({ found: [], note: nothingFound, ...groupsOf(offer) }, nothingFound);
    const leftOut = this.tooLarge(found, offer);
    const listed = found
      .filter(({ key }) => !leftOut.includes(key))
      .map(({ key, description, use }) => ({
        key,
        description: singleLine(description, MAX_DESCRIPTION),
        use,
      }));
    const preview = found.map(({ key }) => key).join(', ');
    if (leftOut.length === 0) return succeeded({ found: listed, note: howToUse }, preview);
    const note = fill(foundTooLarge, { keys: leftOut.join(', ') });
    return succeeded({ found: listed, note: `${howToUse} ${note}`, leftOut }, preview);
  }

  /** The keys of tools without room beside better ones. */
  private tooLarge(found: readonly Pick<Found, 'key' | 'use'>[], offer: SkillOffer): string[] {
    const kept = offeredTools(offer, [], this.language);
    const leftOut: string[] = [];
    for (const { key } of found.filter(({ use }) => use === 'call')) {
      const tool = offer.tools.find(({ name }) => name === key);
      if (!tool || kept.includes(tool)) continue;
      if (this.fits([...kept, tool], SEARCH_TOKENS)) kept.push(tool);
      else leftOut.push(key);
    }
    return leftOut;
  }

  private async noSuchPack(key: string): Promise<SkillOutcome> {
    const { packs, off = [] } = await this.list();
    if (off.some((skill) => skill.key === key))
      return failed(fill(this.labels.switchedOff, { key: singleLine(key, MAX_KEY) }));
    const nearest = searchSkills(packs, key, MAX_NEAREST).map((pack) => pack.key);
    const { noSuchPack, nearestPacks } = this.labels;
    const message = fill(noSuchPack, { key: singleLine(key, MAX_KEY) });
    if (nearest.length === 0) return failed(message);
    return failed(`${message} ${fill(nearestPacks, { keys: nearest.join(', ') })}`);
  }
}

/** Adds all if few are hidden, because a question in another language shares no word with the descriptions. */
function foundIn(offer: SkillOffer, query: string): ReturnType<typeof searchedSkills> {
  const all = searchedSkills(offer);
  const matches = searchSkills(all, query, MAX_FOUND);
  const hidden = new Set(deferredTools(offer).map(({ name }) => name));
  const others = all.filter((skill) => hidden.has(skill.key) && !matches.includes(skill));
  // If even the permanent tools have to be searched for, the window has no more room.
  const hasRoom = offer.offered?.size !== 0;
  return hasRoom && others.length <= MAX_HIDDEN_GIVEN ? [...matches, ...others] : matches;
}

function searchedSkills(offer: SkillOffer): (SearchedSkill & Pick<Found, 'use'>)[] {
  return [
    ...searchedTools(offer).map(({ name, description }) => ({
      key: name,
      name: '',
      description,
      use: 'call' as const,
    })),
    ...offer.packs.map(({ key, name, description }) => ({ key, name, description, use: 'load' as const })),
  ];
}

/** An overview for a search without results: categories of packs, and prefixes of tool keys. */
function groupsOf(offer: SkillOffer): { categories: string[]; tools: string[] } {
  return {
    categories: counted(offer.packs.map(({ category }) => category ?? '').filter((name) => name !== '')),
    tools: counted(searchedTools(offer).map(({ name }) => name.split(/[_.-]/)[0] ?? name)),
  };
}

function counted(names: readonly string[]): string[] {
  return [...Map.groupBy(names, (name) => name)]
    .map(([name, { length }]) => `${singleLine(name, MAX_KEY)} (${length})`)
    .toSorted()
    .slice(0, MAX_GROUPS);
}

function textIn(input: JsonObject, name: string, maxLength: number): string {
  const value = input[name];
  return typeof value === 'string' ? singleLine(value, maxLength) : '';
}

function numberIn(input: JsonObject, name: string): number {
  const value = Number(input[name] ?? 1);
  return Number.isInteger(value) ? value : 1;
}
