import { z } from 'zod';

import type { JsonObject } from '../../../common/json.js';
import type { ToolSpec } from '../../../llm/chat-model.js';
import { documentSkillKeys } from '../../../skills/functions/documents/document-skill-keys.js';
import type { PackSummary, SkillOffer } from '../agent-ports.js';
import type { Step } from '../prompt/prompt.js';
import { packsLoadedIn } from './loaded-packs.js';
import { LOAD_SKILL, READ_SKILL_FILE, SEARCH_SKILLS } from './own-skill-keys.js';
import { type SkillLabels, skillLabelsFor } from './skill-labels.js';

/** More than so many tools make a model choose badly, and cost more than all the rest of its prompt. */
const MOST_TOOLS = 30;
/** More packs than so many, or more said about them, are told of by their keys alone. */
const MOST_DESCRIBED = 30;
const MOST_DESCRIBED_BYTES = 12_000;
const MOST_NAMED_KEYS = 100;

/** Whether a prompt can be made that offers these tools, and holds `moreTokens` besides what it does by now. */
export type ToolFit = (tools: readonly ToolSpec[], moreTokens?: number) => boolean;

/**
 * The tools that a model call offers: those of the offer, or, where they are too many, those that the turn has searched
 * for or called, as far as they fit; and before them the loop's own that make sense.
 */
export function offeredTools(
  offer: SkillOffer,
  steps: readonly Step[],
  language: string,
  fits: ToolFit = () => true,
): ToolSpec[] {
  const labels = skillLabelsFor(language);
  const { packs } = offer;
  const hasFiles =
    packs.some((pack) => pack.hasFiles) || packsLoadedIn(steps).some(({ files }) => files.length > 0);
  const own = [
    ...(packs.length > 0 ? [loadTool(packs, labels)] : []),
    ...(packs.length > 0 && hasFiles ? [readTool(labels)] : []),
    ...(areToolsDeferred(offer) || arePacksMany(packs) ? [searchTool(labels)] : []),
  ];
  return areToolsDeferred(offer) ? withToolsInUse(own, offer, steps, fits) : [...own, ...offer.tools];
}

/** Whether the tools are so many, or so long, that a model has to search for them. */
export const areToolsDeferred = (offer: SkillOffer): boolean =>
  offer.isTooLarge === true || searchedTools(offer).length > MOST_TOOLS;

/** The tools that a search finds. */
export const searchedTools = ({ tools }: SkillOffer): ToolSpec[] =>
  tools.filter(({ name }) => !isAlways(name));

/** Whether the packs are so many that the prompt names them at most. */
export const arePacksMany = (packs: readonly PackSummary[]): boolean =>
  packs.length > MOST_DESCRIBED ||
  packs.reduce((sum, { key, description }) => sum + Buffer.byteLength(key + description), 0) >
    MOST_DESCRIBED_BYTES;

/** What a search found, as its result tells. */
export const foundSkill = z.object({
  key: z.string(),
  description: z.string(),
  use: z.enum(['call', 'load']),
});
const searchResult = z.object({ found: z.array(foundSkill) });

const isAlways = (name: string): boolean => documentSkillKeys.has(name);

/**
 * In the order in which they came into use, so that what is offered already keeps its place. Where not all fit, what
 * came into use last goes before what did earlier, and what a search found first before the rest of it.
 */
function withToolsInUse(
  own: readonly ToolSpec[],
  { tools }: SkillOffer,
  steps: readonly Step[],
  fits: ToolFit,
): ToolSpec[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const used = steps.map(({ calls }) =>
    calls.flatMap(({ name, result }) => (name === SEARCH_SKILLS ? foundIn(result ?? '') : [name])),
  );
  const kept = new Set([...own, ...tools.filter(({ name }) => isAlways(name))]);
  for (const tool of used.toReversed().flatMap((names) => names.flatMap((name) => byName.get(name) ?? []))) {
    if (!kept.has(tool) && fits([...kept, tool])) kept.add(tool);
  }
  const names = new Set([...tools.map(({ name }) => name).filter(isAlways), ...used.flat()]);
  const inUse = [...names].flatMap((name) => byName.get(name) ?? []);
  return [...own, ...inUse.filter((tool) => kept.has(tool))];
}

const foundIn = (result: string): string[] => {
  try {
    const { success, data } = searchResult.safeParse(JSON.parse(result));
    return success ? data.found.filter(({ use }) => use === 'call').map(({ key }) => key) : [];
  } catch {
    return [];
  }
};

const loadTool = (packs: readonly PackSummary[], labels: SkillLabels): ToolSpec => {
  const keys = packs.map(({ key }) => key).toSorted();
  const skill: JsonObject = { type: 'string', description: labels.loadKey };
  if (keys.length <= MOST_NAMED_KEYS) skill['enum'] = keys;
  return tool(LOAD_SKILL, labels.loadSkill, { skill });
};

const readTool = (labels: SkillLabels): ToolSpec =>
  tool(
    READ_SKILL_FILE,
    labels.readFile,
    {
      skill: { type: 'string', description: labels.loadKey },
      path: { type: 'string', description: labels.readPath },
    },
    { part: { type: 'integer', minimum: 1, description: labels.readPart } },
  );

const searchTool = (labels: SkillLabels): ToolSpec =>
  tool(SEARCH_SKILLS, labels.search, { query: { type: 'string', description: labels.searchQuery } });

const tool = (
  name: string,
  description: string,
  required: JsonObject,
  optional: JsonObject = {},
): ToolSpec => ({
  name,
  description,
  parameters: {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  },
});
