import { StringDecoder } from 'node:string_decoder';

import { z } from 'zod';
import { singleLine, withoutEndOf, withoutHidden } from '@palabre/text';
import { shownPath } from '@palabre/skill-pack';
import { parseJson } from '@palabre/json';

import { fill, wordingIn } from '../../../common/wording/wording.js';
import type { ReservedKey } from '../../../skills/skill.js';
import type { LoadedPack, TokenCounter } from '../agent-ports.js';
import type { Step, StepCall } from '../prompt/prompt.js';

/** Tools of the loop itself, to find skills and load instructions. */
export const LOAD_SKILL = 'load_skill' satisfies ReservedKey;
export const READ_SKILL_FILE = 'read_skill_file' satisfies ReservedKey;
export const SEARCH_SKILLS = 'search_skills' satisfies ReservedKey;

/** The name for reading instructions in parts, if they are too long to be loaded. */
export const INSTRUCTIONS_FILE = 'SKILL.md';

export interface PackInTurn extends Omit<z.output<typeof loadResult>, 'loaded'> {
  key: string;
}

/** The limit for all loaded instructions. They also take at most half of the prompt's room. */
const MAX_LOADED_TOKENS = 16_000;
/** The limit for one SKILL.md. A longer one is read in parts. */
const MAX_INSTRUCTION_TOKENS = 8_000;
const MAX_FILES = 100;
const MAX_KEY = 200;

/** The tokens for all loaded instructions, given the room of a prompt. */
export function loadedTokensIn(room: number): number {
  return Math.max(0, Math.min(MAX_LOADED_TOKENS, Math.floor(room / 2)));
}

const loadResult = z.object({
  loaded: z.string(),
  instructions: z.string(),
  files: z.array(z.string()),
  /** The pack's version when loaded. */
  version: z.string().default(''),
  /** The tokens of its text in the prompt. */
  tokens: z.number(),
});

export function loadedResult(
  key: string,
  { instructions, files, version }: LoadedPack,
  tokens: TokenCounter,
  language: string,
): string {
  const beginning = tokens.cut(instructions, MAX_INSTRUCTION_TOKENS);
  const isCut = beginning.length < instructions.length;
  const shown = isCut ? `${beginning}\n\n${noteOfRest(instructions, beginning.length, language)}` : beginning;
  const paths = [...(isCut ? [INSTRUCTIONS_FILE] : []), ...files].map(shownPath);
  const left = paths.length - MAX_FILES;
  const listed = [...paths.slice(0, MAX_FILES), ...(left > 0 ? [`… (+${left})`] : [])];
  const size = tokens.count(shown) + tokens.count(listed.join('\n'));
  return JSON.stringify({ loaded: key, instructions: shown, files: listed, version, tokens: size });
}

function noteOfRest(instructions: string, from: number, language: string): string {
  return fill(wordingIn(language).skillUse.restInParts, {
    part: partAt(instructions, from),
    parts: partsOf(instructions).length,
  });
}

/** The pack that a result loaded. Null: a result of another tool, or nothing loaded. */
export function loadedBy({ name, result }: Pick<StepCall, 'name' | 'result'>): PackInTurn | null {
  if (name !== LOAD_SKILL || result === null) return null;
  const { data } = loadResult.safeParse(parseJson(result));
  if (!data) return null;
  const { loaded: key, ...pack } = data;
  return { key, ...pack };
}

/** The packs that the steps loaded, oldest first. A pack loaded twice appears once, at its last load. */
export function packsLoadedIn(steps: readonly Step[]): PackInTurn[] {
  const byKey = new Map<string, PackInTurn>();
  for (const pack of steps.flatMap(({ calls }) => calls.flatMap((call) => loadedBy(call) ?? []))) {
    byKey.delete(pack.key);
    byKey.set(pack.key, pack);
  }
  return [...byKey.values()];
}

/** The packs that fit, and those that do not. The oldest are dropped first. The newest stays, cut if necessary. */
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

/** Instructions in the prompt. Admins wrote them, so they may give orders. */
export function packText({ key, instructions, files }: PackInTurn): string {
  const body = withoutEndOf('skill_content', withoutHidden(instructions)).trim();
  const resources = files.map((path) => `- ${withoutEndOf('skill_', shownPath(path))}`);
  const listed = resources.length > 0 ? ['', '<skill_resources>', ...resources, '</skill_resources>'] : [];
  return [`<skill_content name="${nameText(key)}">`, body, ...listed, '</skill_content>'].join('\n');
}

function nameText(key: string): string {
  return singleLine(key, MAX_KEY).replaceAll(/["<>]/g, '_');
}

/** The steps without loaded instructions, which are in the system message. */
export function withoutInstructions(steps: readonly Step[], language: string): Step[] {
  const { loaded: note } = wordingIn(language).skillUse;
  return steps.map((step) => ({
    ...step,
    calls: step.calls.map((call) => {
      const pack = loadedBy(call);
      return pack ? { ...call, result: JSON.stringify({ loaded: pack.key, note }) } : call;
    }),
  }));
}

/** What a model reads at once, in any language: 3,000 to 6,000 tokens. */
const PART_BYTES = 12_000;

/** Splits a text into readable parts, at line ends if possible. At least one part. */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = endOfPart(text, start);
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts.length > 0 ? parts : [''];
}

/** The number, from 1, of the part that the character at `index` is in. */
export function partAt(text: string, index: number): number {
  let before = 0;
  const parts = partsOf(text);
  const found = parts.findIndex((part) => (before += part.length) > index);
  return found < 0 ? parts.length : found + 1;
}

function endOfPart(text: string, start: number): number {
  // A character has at least one byte, and the decoder returns only whole ones.
  const bytes = Buffer.from(text.slice(start, start + PART_BYTES)).subarray(0, PART_BYTES);
  const end = start + new StringDecoder('utf8').write(bytes).length;
  if (end >= text.length) return text.length;
  const line = text.lastIndexOf('\n', end - 1) + 1;
  return line > start ? line : end;
}
