import { z } from 'zod';

import type { LoadedPack, TokenCounter } from '../agent-ports.js';
import { singleLine, withoutEndOf, withoutHidden } from '../../../common/text/data-text.js';
import { shownPath } from '../../../skills/packs/pack-paths.js';
import type { Step, StepCall } from '../prompt/prompt.js';
import { INSTRUCTIONS_FILE, LOAD_SKILL } from './own-skill-keys.js';
import { skillLabelsFor } from './skill-labels.js';
import { partAt, partsOf } from './text-parts.js';

/** Instructions that were loaded in a turn. They are kept as the result of the call that loaded them, and nowhere else. */
export interface PackInTurn {
  key: string;
  instructions: string;
  files: string[];
  /** Of the pack, when it was loaded. */
  version: string;
  /** Of all that the prompt says of it. */
  tokens: number;
}

/** Of all loaded instructions together; never more than half of the room. */
const MOST_LOADED_TOKENS = 16_000;
/** Of one SKILL.md: what is longer is read in parts. */
const MOST_INSTRUCTION_TOKENS = 8_000;
const MOST_FILES = 100;
const MOST_KEY = 200;

/** What all loaded instructions may take of the room that a prompt has, in tokens. */
export const loadedTokensIn = (room: number): number =>
  Math.max(0, Math.min(MOST_LOADED_TOKENS, Math.floor(room / 2)));

const loadResult = z.object({
  loaded: z.string(),
  instructions: z.string(),
  files: z.array(z.string()),
  version: z.string().default(''),
  tokens: z.number(),
});

/** The result of a call that loaded instructions. */
export function loadedResult(
  key: string,
  { instructions, files, version }: LoadedPack,
  tokens: TokenCounter,
  language: string,
): string {
  const beginning = tokens.cut(instructions, MOST_INSTRUCTION_TOKENS);
  const isCut = beginning.length < instructions.length;
  const shown = isCut ? `${beginning}\n\n${noteOfRest(instructions, beginning.length, language)}` : beginning;
  const paths = [...(isCut ? [INSTRUCTIONS_FILE] : []), ...files].map(shownPath);
  const left = paths.length - MOST_FILES;
  const listed = [...paths.slice(0, MOST_FILES), ...(left > 0 ? [`… (+${left})`] : [])];
  const size = tokens.count(shown) + tokens.count(listed.join('\n'));
  return JSON.stringify({ loaded: key, instructions: shown, files: listed, version, tokens: size });
}

const noteOfRest = (instructions: string, from: number, language: string): string =>
  skillLabelsFor(language).restInParts(partAt(instructions, from), partsOf(instructions).length);

/** What such a result loaded; null when it is another's, or loaded nothing. */
export const loadedBy = ({ name, result }: Pick<StepCall, 'name' | 'result'>): PackInTurn | null => {
  if (name !== LOAD_SKILL || result === null) return null;
  try {
    const { success, data } = loadResult.safeParse(JSON.parse(result));
    if (!success) return null;
    const { loaded, ...pack } = data;
    return { key: loaded, ...pack };
  } catch {
    return null;
  }
};

/** All that the steps loaded, oldest first, each once: where it was loaded again, as it was loaded last. */
export const packsLoadedIn = (steps: readonly Step[]): PackInTurn[] => {
  const byKey = new Map<string, PackInTurn>();
  for (const pack of steps.flatMap(({ calls }) => calls.flatMap((call) => loadedBy(call) ?? []))) {
    byKey.delete(pack.key);
    byKey.set(pack.key, pack);
  }
  return [...byKey.values()];
};

/** Those that there is room for, and those that have to leave: the oldest first, the newest never but for its end. */
export function fittingPacks(
  packs: readonly PackInTurn[],
  maxTokens: number,
  tokens: TokenCounter,
): { kept: PackInTurn[]; left: PackInTurn[] } {
  const newest = packs.at(-1);
  if (newest && newest.tokens > maxTokens) {
    const instructions = `${tokens.cut(newest.instructions, maxTokens)} …`;
    return { kept: [{ ...newest, instructions }], left: packs.slice(0, -1) };
  }
  let room = maxTokens;
  const first = packs.findLastIndex((pack) => (room -= pack.tokens) < 0) + 1;
  return { kept: packs.slice(first), left: packs.slice(0, first) };
}

/** Instructions as the prompt shows them. They are an admin's own words, and may say what is to be done. */
export function packText({ key, instructions, files }: PackInTurn): string {
  const body = withoutEndOf('skill_content', withoutHidden(instructions)).trim();
  const resources = files.map((path) => `- ${withoutEndOf('skill_', shownPath(path))}`);
  const listed = resources.length > 0 ? ['', '<skill_resources>', ...resources, '</skill_resources>'] : [];
  return [`<skill_content name="${nameText(key)}">`, body, ...listed, '</skill_content>'].join('\n');
}

const nameText = (key: string): string => singleLine(key, MOST_KEY).replaceAll(/["<>]/g, '_');

/** The steps without the instructions that they loaded: those stand in the system message. */
export function withoutInstructions(steps: readonly Step[], language: string): Step[] {
  const { loaded: note } = skillLabelsFor(language);
  return steps.map((step) => ({
    ...step,
    calls: step.calls.map((call) => {
      const pack = loadedBy(call);
      return pack ? { ...call, result: JSON.stringify({ loaded: pack.key, note }) } : call;
    }),
  }));
}
