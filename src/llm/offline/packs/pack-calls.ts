import type { JsonObject } from '../../../common/json.js';
import type { Conversation } from '../conversation.js';
import type { LookupCall } from '../lookup/web.js';
import { queryFor } from '../lookup/query.js';
import type { Question } from '../message.js';
import type { CompletionRequest } from '../server/protocol.js';
import { asObject, strings } from '../json-access.js';
import { fold, sameWord, wordsOf } from '../reading/words/fold.js';
import { Subject } from '../reading/words/likeness.js';
import { asksForDraft } from './document-request.js';
import type { Errand } from './open-errand.js';
import type { Catalogue, LoadedPack, ToldPack } from './catalogue.js';
import { filesRead, foundSkills, triedLoads } from './own-results.js';
import { LOAD_SKILL, READ_SKILL_FILE, SEARCH_SKILLS } from './own-tools.js';

const mostParts = 3;
const longestQuery = 200;
const draftFile =
  /borrador|estructura|clausula|modelo|plantilla|draft|template|structure|outline|brouillon|trame|modele|草|範|架構/;

const toolOf = ({ tools, tool_choice: choice }: CompletionRequest, name: string) =>
  choice === 'none' || typeof choice === 'object'
    ? undefined
    : tools.find((tool) => tool.function.name === name)?.function;

/** The keys that may be loaded: those that the tool names, else those that the prompt tells. */
function mayBeLoaded(request: CompletionRequest, key: string): boolean {
  const tool = toolOf(request, LOAD_SKILL);
  const skill = asObject(asObject(tool?.parameters['properties'])['skill']);
  return tool !== undefined && (skill['enum'] === undefined || strings(skill['enum']).includes(key));
}

/** What the prompt and a search tell of packs; a description that was found fills in for one that was left out. */
export function knownPacks({ packs }: Catalogue, { ownResults }: Conversation): ToldPack[] {
  const known = new Map(packs.map((pack) => [pack.key, pack]));
  for (const { key, description, use } of foundSkills(ownResults) ?? [])
    if (use === 'load') known.set(key, { category: null, ...known.get(key), key, description });
  return [...known.values()];
}

const loadCalls = (
  request: CompletionRequest,
  { packs }: Errand,
  conversation: Conversation,
  loaded: readonly LoadedPack[],
): LookupCall[] => {
  const done = new Set([...loaded.map(({ key }) => key), ...triedLoads(conversation.ownResults)]);
  return packs
    .filter(({ key }) => !done.has(key) && mayBeLoaded(request, key))
    .map(({ key }) => ({ name: LOAD_SKILL, arguments: { skill: key } }));
};

/** The file that the question calls by its name, else the one with the draft where a draft is asked for. */
export function fileFor({ key, files }: LoadedPack, { now }: Question): string | null {
  const said = wordsOf(now.reading.folded).map((word) => word.text);
  const named = files.find((path) => {
    const words = wordsOf(fold(baseName(path))).map((word) => word.text);
    return words.some(
      (word) => word.length > 3 && !fold(key).includes(word) && said.some((each) => sameWord(each, word)),
    );
  });
  const wanted = asksForDraft(now.reading)
    ? files.find((path) => draftFile.test(fold(baseName(path))))
    : undefined;
  return named ?? wanted ?? null;
}

const baseName = (path: string): string => (path.split('/').at(-1) ?? path).replace(/\.\w+$/, '');

function readCalls(
  request: CompletionRequest,
  { ownResults }: Conversation,
  question: Question,
  loaded: readonly LoadedPack[],
): LookupCall[] {
  if (!toolOf(request, READ_SKILL_FILE)) return [];
  const read = filesRead(ownResults);
  return loaded.flatMap((pack): LookupCall[] => {
    const path = fileFor(pack, question);
    if (path === null) return [];
    const done = read.find((file) => file.skill === pack.key && file.path === path);
    const part = (done?.read ?? 0) + 1;
    if (done && (part > done.parts || part > mostParts)) return [];
    const input: JsonObject = { skill: pack.key, path };
    return [{ name: READ_SKILL_FILE, arguments: part > 1 ? { ...input, part } : input }];
  });
}

/** What to load and to read for an errand; first the one, then the other. */
export function packCalls(
  request: CompletionRequest,
  conversation: Conversation,
  question: Question,
  { errand, loaded }: { errand: Errand; loaded: readonly LoadedPack[] },
): LookupCall[] {
  const loads = loadCalls(request, errand, conversation, loaded);
  return loads.length > 0 ? loads : readCalls(request, conversation, question, loaded);
}

/** A search for what the question is about, once. */
export function searchCalls(
  request: CompletionRequest,
  { earlier, ownResults }: Conversation,
  { now }: Question,
): LookupCall[] {
  if (!toolOf(request, SEARCH_SKILLS) || foundSkills(ownResults) !== null) return [];
  const query = queryFor(now.text, earlier) || now.text.trim();
  return query === '' ? [] : [{ name: SEARCH_SKILLS, arguments: { query: query.slice(0, longestQuery) } }];
}

/** The first that a search found, when it speaks of the question at all: for where nothing else decides. */
export function firstFound(
  { ownResults }: Conversation,
  { now }: Question,
  use: 'call' | 'load',
): string | null {
  const [first] = foundSkills(ownResults) ?? [];
  if (first?.use !== use) return null;
  const asked = new Subject(now.text);
  const told = new Subject(`${first.key.replaceAll(/[/_-]+/g, ' ')}\n${first.description}`);
  const shared =
    [...asked.keys].some((key) => told.keys.has(key)) ||
    asked.words.some((word) => told.words.some((each) => sameWord(each, word))) ||
    asked.pairs.some((pair) => told.pairs.includes(pair));
  return shared ? first.key : null;
}
