import { z } from 'zod';
import { functionTool, type ToolSpec } from '@palabre/llm-client';
import { type JsonObject, parseJson } from '@palabre/json';

import { type Wording, wordingIn } from '../../../common/wording/wording.js';
import { documentSkillKeys } from '../../../skills/functions/documents/document-skill-keys.js';
import type { PackSummary, SkillOffer } from '../agent-ports.js';
import type { Step } from '../prompt/prompt.js';
import { LOAD_SKILL, packsLoadedIn, READ_SKILL_FILE, SEARCH_SKILLS } from './loaded-packs.js';

/** If there are more packs, or longer descriptions, the prompt has their keys only. */
const MAX_DESCRIBED = 30;
const MAX_DESCRIBED_BYTES = 12_000;
const MAX_NAMED_KEYS = 100;

/** Whether a prompt with these tools fits, with `moreTokens` in addition to the current content. */
export type ToolFit = (tools: readonly ToolSpec[], moreTokens?: number) => boolean;

/**
 * The tools of a model call: the loop's own where useful, then those offered without a search, then those found or
 * called in the turn, as far as they fit.
 */
export function offeredTools(
  offer: SkillOffer,
  steps: readonly Step[],
  language: string,
  fits: ToolFit = () => true,
): ToolSpec[] {
  const labels = wordingIn(language).skillUse;
  const { packs } = offer;
  const hasFiles =
    packs.some((pack) => pack.hasFiles) || packsLoadedIn(steps).some(({ files }) => files.length > 0);
  const own = [
    ...(packs.length > 0 ? [loadTool(packs, labels)] : []),
    ...(packs.length > 0 && hasFiles ? [readTool(labels)] : []),
    ...(deferredTools(offer).length > 0 || arePacksMany(packs) ? [searchTool(labels)] : []),
  ];
  return withToolsInUse(own, offer, steps, fits);
}

/** The tools that have to be searched for first. */
export function deferredTools(offer: SkillOffer): ToolSpec[] {
  const offered = offer.isTooLarge ? alwaysOffered(offer) : offeredUnlessTooLarge(offer);
  return offer.tools.filter((tool) => !offered.includes(tool));
}

export function offeredUnlessTooLarge({ tools, offered }: SkillOffer): ToolSpec[] {
  return tools.filter(({ name }) => offered?.get(name) !== 'WHEN_FOUND');
}

/** The tools that a search finds. Includes offered ones, which a search must not deny. */
export function searchedTools({ tools }: SkillOffer): ToolSpec[] {
  return tools.filter(({ name }) => !documentSkillKeys.has(name));
}

export function alwaysOffered({ tools, offered }: SkillOffer): ToolSpec[] {
  return tools.filter(({ name }) => documentSkillKeys.has(name) || offered?.get(name) === 'ALWAYS');
}

/** Whether there are so many packs that the prompt only lists keys. */
export function arePacksMany(packs: readonly PackSummary[]): boolean {
  return (
    packs.length > MAX_DESCRIBED ||
    packs.reduce((sum, { key, description }) => sum + Buffer.byteLength(key + description), 0) >
      MAX_DESCRIBED_BYTES
  );
}

export const foundSkill = z.object({
  key: z.string(),
  description: z.string(),
  use: z.enum(['call', 'load']),
});
const searchResult = z.object({ found: z.array(foundSkill) });

/** Offered tools keep their place. The most recently used come first if not all fit. */
function withToolsInUse(
  own: readonly ToolSpec[],
  offer: SkillOffer,
  steps: readonly Step[],
  fits: ToolFit,
): ToolSpec[] {
  const deferred = deferredTools(offer);
  const begin = [...own, ...offer.tools.filter((tool) => !deferred.includes(tool))];
  const byName = new Map(deferred.map((tool) => [tool.name, tool]));
  const used = steps.map(({ calls }) =>
    calls.flatMap(({ name, result }) => (name === SEARCH_SKILLS ? foundIn(result ?? '') : [name])),
  );
  const kept = new Set(begin);
  for (const tool of used.toReversed().flatMap((names) => names.flatMap((name) => byName.get(name) ?? []))) {
    if (!kept.has(tool) && fits([...kept, tool])) kept.add(tool);
  }
  const inUse = [...new Set(used.flat())].flatMap((name) => byName.get(name) ?? []);
  return [...begin, ...inUse.filter((tool) => kept.has(tool))];
}

function foundIn(result: string): string[] {
  const { found = [] } = searchResult.safeParse(parseJson(result)).data ?? {};
  return found.filter(({ use }) => use === 'call').map(({ key }) => key);
}

function loadTool(packs: readonly PackSummary[], labels: Wording['skillUse']): ToolSpec {
  const keys = packs.map(({ key }) => key).toSorted();
  const skill: JsonObject = { type: 'string', description: labels.loadKey };
  if (keys.length <= MAX_NAMED_KEYS) skill['enum'] = keys;
  return functionTool(LOAD_SKILL, labels.loadSkill, { skill });
}

function readTool(labels: Wording['skillUse']): ToolSpec {
  return functionTool(
    READ_SKILL_FILE,
    labels.readFile,
    {
      skill: { type: 'string', description: labels.loadKey },
      path: { type: 'string', description: labels.readPath },
    },
    { part: { type: 'integer', minimum: 1, description: labels.readPart } },
  );
}

function searchTool(labels: Wording['skillUse']): ToolSpec {
  return functionTool(SEARCH_SKILLS, labels.search, {
    query: { type: 'string', description: labels.searchQuery },
  });
}
