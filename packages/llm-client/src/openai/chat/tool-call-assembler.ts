import { isJsonObject, type JsonObject, parseJson } from '@palabre/json';

import type { ToolCall } from '../../chat-model.js';

/** A chunk's piece of a tool call. Missing and empty values are null. */
export interface ToolCallFragment {
  index: number | null;
  id: string | null;
  name: string | null;
  arguments: string;
  /** Data that the provider wants back with the call. */
  extra: JsonObject | null;
}

interface Draft extends ToolCallFragment {
  name: string;
}

/**
 * Joins fragments of tool calls. Providers disagree on `index`, ids and repetition, so a fragment goes where it fits:
 * nothing can follow complete arguments.
 */
export class ToolCallAssembler {
  private readonly drafts: Draft[] = [];

  constructor(private readonly newId: () => string) {}

  get isEmpty(): boolean {
    return this.drafts.length === 0;
  }

  /** Takes the fragments of one chunk. Two of them are different calls unless marked as the same. */
  add(fragments: readonly ToolCallFragment[]): void {
    const touched = new Set<Draft>();
    for (const fragment of fragments) {
      if (this.isNothing(fragment)) continue;
      const target = this.targetOf(fragment, touched);
      const draft =
        target && !beginsAnother(target, fragment) ? merge(target, fragment) : this.begin(fragment);
      touched.add(draft);
    }
  }

  /** The calls in order of their start, each with a unique id that is not in `taken`. */
  finish(taken: Iterable<string>): ToolCall[] {
    return toolCallsOf(this.drafts, taken, this.newId);
  }

  /** Extra data of the calls, in the same order. */
  get extras(): (JsonObject | null)[] {
    return this.drafts.map(({ extra }) => extra);
  }

  /** A signature alone belongs to a started call. */
  private isNothing({ index, id, name, arguments: text, extra }: ToolCallFragment): boolean {
    return !id && !name && text === '' && index === null && (extra === null || this.isEmpty);
  }

  private targetOf(fragment: ToolCallFragment, touched: ReadonlySet<Draft>): Draft | undefined {
    const { index, id, name } = fragment;
    if (index !== null) {
      const sameIndex = this.drafts.findLast((draft) => draft.index === index);
      if (sameIndex) return sameIndex;
      return name || id ? undefined : (this.drafts[index] ?? this.drafts.at(-1));
    }
    const sameId = id ? this.drafts.findLast((draft) => draft.id === id) : undefined;
    if (sameId) return sameId;
    const last = this.drafts.at(-1);
    if (!last || !name) return last;
    if (last.name !== name || touched.has(last)) return undefined;
    return !id || isCutBefore(last.arguments, fragment.arguments) ? last : undefined;
  }

  private begin({ index, id, name, arguments: text, extra }: ToolCallFragment): Draft {
    const draft: Draft = { index, id, name: name ?? '', arguments: text, extra };
    this.drafts.push(draft);
    return draft;
  }
}

/** The calls of an answer, each with a unique id that is not in `taken`. */
export function toolCallsOf(
  drafts: readonly Pick<Draft, 'id' | 'name' | 'arguments'>[],
  taken: Iterable<string>,
  newId: () => string,
): ToolCall[] {
  const ids = new Set(taken);
  return drafts.map((draft) => {
    const id = draft.id && !ids.has(draft.id) ? draft.id : newId();
    ids.add(id);
    // A call without a name is handled as an unknown skill. An empty name would break the next request.
    return { id, name: draft.name || 'unknown', arguments: plainArguments(draft.arguments) };
  });
}

function beginsAnother(draft: Draft, { id, name, arguments: text }: ToolCallFragment): boolean {
  if (!name) return false;
  const otherId = Boolean(id && draft.id && id !== draft.id);
  const otherName = name !== draft.name && !name.startsWith(draft.name);
  if (isWholeObject(draft.arguments))
    return otherId || otherName || (isWholeObject(text) && text !== draft.arguments);
  return otherId && otherName;
}

function merge(draft: Draft, { id, name, arguments: text, extra }: ToolCallFragment): Draft {
  draft.id ??= id;
  if (extra) draft.extra = { ...draft.extra, ...extra };
  if (name && draft.arguments === '') draft.name = nameOf(draft.name, name);
  // Some providers repeat the whole call at the end.
  if (text !== draft.arguments || !isWholeObject(text)) draft.arguments += text;
  return draft;
}

/** A later name is a repetition, a longer version, or the next piece. */
function nameOf(known: string, next: string): string {
  return next.startsWith(known) ? next : known + next;
}

/** True if `next` continues an object that `begun` opened. */
function isCutBefore(begun: string, next: string): boolean {
  return begun !== '' && !isWholeObject(begun) && !next.trimStart().startsWith('{');
}

function isWholeObject(text: string): boolean {
  return text.trimEnd().endsWith('}') && parseJson(text) !== null;
}

const fenced = /^```(?:json)?\s*(\{.*\})\s*```$/is;

/**
 * A call's arguments as a JSON object: unwraps a fence or a string, and reads statements of no arguments. Other text
 * stays as it is.
 */
function plainArguments(text: string): string {
  const [, inFence] = fenced.exec(text.trim()) ?? [];
  if (inFence !== undefined) return isJsonObject(parsed(inFence)) ? inFence : text;
  const value = parsed(text);
  if (value === null || value === '') return '{}';
  return typeof value === 'string' && isJsonObject(parsed(value)) ? value : text;
}

/** Undefined: not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
