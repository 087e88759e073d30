import { Injectable } from '@nestjs/common';

import { Calendar } from '../../common/calendar.js';
import { compareIds } from '../../common/ids.js';
import { type RecalledMessage, MessageRecall } from '../../conversations/recall/message-recall.service.js';
import type { PreparedQuery } from '../../documents/search-index/search.js';
import { awaitAll, type Transaction } from '../../platform/database/transaction.js';
import { textOf } from '../memory-index.service.js';
import { type Memory, memoryKinds } from '../memory.entity.js';
import { type Mentions, MemoryMentions } from '../mentions/mentions.service.js';
import { SeenMemoryRepository } from '../seen-memory.repository.js';
import { type Material, type ToTell, composeContext } from './compose-context.js';
import { LineTokens, normalizeText } from './context-cache.service.js';
import type { ContextRequest, MemoryContext } from './memory-context.js';
import { RelevantMemories } from './relevant-memories.service.js';
import { tellingFirst } from './telling-first.js';

/** Memories that search found below this score are left out. */
const MIN_SCORE = 0.15;

/** The data for a context, before selection. */
export interface Found {
  memberId: string;
  /** The newest first. */
  preferences: readonly Memory[];
  /** The best match first. */
  named: Mentions;
  /** The project of the conversation. */
  pinned: Memory | null;
  /** Search results of all kinds. */
  found: readonly ToTell[];
  /** Current memories of all kinds: distinctive ones first, then the member's own, then the newest. */
  newest: readonly Memory[];
  recalled: readonly RecalledMessage[];
  /** Memories learnt in the turn's conversation, but not on its path. */
  beside: ReadonlySet<Memory>;
}

/** Sorts what was read into sections, without duplicates. */
export function selectMaterial(read: Found): Material {
  const { memberId, preferences, named, pinned, found, newest, recalled } = read;
  const seen = new Deduplicator(read.beside);
  const [active = null, ...otherProjects] = [...named.projects, ...(pinned ? [pinned] : [])].filter(
    isProject,
  );
  const scores = new Map(found.map(({ memory, score }) => [memory.id, score]));
  const inForce = [...preferences, ...preferencesIn(found)].map((memory) => ({
    memory,
    score: scores.get(memory.id) ?? 0,
  }));
  // If two say the same, the member's own is kept.
  const sections = {
    preferences: seen.takeNew(inForce.toSorted(ownAndNewFirst(memberId))).toSorted(byScore),
    project: seen.takeNew(active ? [{ memory: active, score: 1 }] : [])[0] ?? null,
    contacts: seen.takeNew(named.contacts.map((memory) => ({ memory, score: 1 }))),
  };
  const relevant = found.filter(({ score }) => score >= MIN_SCORE);
  const related = [...otherProjects.map((memory) => ({ memory, score: 1 })), ...relevant];
  const facts = seen.takeNew(related.toSorted(ownAndNewFirst(memberId))).toSorted(byScore);
  const excerpts = recalled.filter(({ message }) => seen.isNew(message.text));
  const others = seen.takeNew(newest.map((memory) => ({ memory, score: scores.get(memory.id) ?? 0 })));
  return { ...sections, facts, others, recalled: excerpts };
}

function isProject({ kind }: Memory): boolean {
  return kind === 'PROJECT';
}

function preferencesIn(found: readonly ToTell[]): Memory[] {
  return found.flatMap(({ memory }) => (memory.kind === 'PREFERENCE' ? [memory] : []));
}

function byScore(a: ToTell, b: ToTell): number {
  return b.score - a.score;
}

function ownAndNewFirst(memberId: string) {
  return ({ memory: a }: ToTell, { memory: b }: ToTell): number =>
    Number(b.ownerId === memberId) - Number(a.ownerId === memberId) || compareIds(b.id, a.id);
}

/** Remembers which memories and texts were taken. */
class Deduplicator {
  private readonly lineages = new Set<string>();
  private readonly texts = new Set<string>();

  constructor(private readonly leftOut: ReadonlySet<Memory>) {}

  /** Takes memories in force whose lineage and text were not taken before. */
  takeNew(memories: readonly ToTell[]): ToTell[] {
    return memories.filter(({ memory }) => this.take(memory));
  }

  isNew(text: string): boolean {
    return this.texts.size === 0 || !this.texts.has(normalizeText(text));
  }

  private take(memory: Memory): boolean {
    const { lineageId, supersededBy, subject, content } = memory;
    if (supersededBy !== null || this.lineages.has(lineageId) || this.leftOut.has(memory)) return false;
    const said = normalizeText(content);
    const texts = [said, `${normalizeText(subject)} ${said}`.trim()].filter((text) => text !== '');
    if (texts.length > 0 && texts.every((text) => this.texts.has(text))) return false;
    this.lineages.add(lineageId);
    for (const text of texts) this.texts.add(text);
    return true;
  }
}

/** More lines do not fit into a context, however short they are. */
const MAX_PREFERENCES = 400;
const MAX_NAMED = 3;
const MAX_FOUND = 40;
/** The most distinctive of these are included. */
const MAX_NEWEST = 300;
const MAX_OTHERS = 80;

/** All but preferences, which are listed by themselves. */
const otherKinds = memoryKinds.filter((kind) => kind !== 'PREFERENCE');

@Injectable()
export class ContextMaterial {
  constructor(
    private readonly memories: SeenMemoryRepository,
    private readonly mentions: MemoryMentions,
    private readonly relevant: RelevantMemories,
    private readonly recall: MessageRecall,
  ) {}

  async read(tx: Transaction, request: ContextRequest, query: PreparedQuery): Promise<Material> {
    const { memberId, message } = request;
    const [preferences, named, pinned, found, newest, recalled] = await awaitAll([
      this.memories.listInForce(tx, memberId, ['PREFERENCE'], MAX_PREFERENCES),
      this.mentions.find(tx, memberId, message, MAX_NAMED),
      this.pinnedProject(tx, request),
      this.relevant.find(tx, request, query, MAX_FOUND),
      this.memories.listInForce(tx, memberId, otherKinds, MAX_NEWEST),
      this.recalled(tx, request, query),
    ]);
    const others = tellingFirst(newest, textOf).slice(0, MAX_OTHERS);
    const told = [
      ...preferences,
      ...named.projects,
      ...named.contacts,
      ...(pinned ? [pinned] : []),
      ...found.map(({ memory }) => memory),
      ...others,
    ];
    const beside = await this.relevant.listBeside(tx, request.leaf, told);
    return selectMaterial({ memberId, preferences, named, pinned, found, newest: others, recalled, beside });
  }

  private pinnedProject(tx: Transaction, { memberId, conversation }: ContextRequest): Promise<Memory | null> {
    const lineageId = conversation?.activeProjectId ?? null;
    return lineageId === null ? Promise.resolve(null) : this.memories.findInForce(tx, memberId, lineageId);
  }

  private recalled(
    tx: Transaction,
    { memberId, assistant, conversation, leaf, shownFrom, now }: ContextRequest,
    query: PreparedQuery,
  ): Promise<RecalledMessage[]> {
    if (!assistant.recallsConversations) return Promise.resolve([]);
    const current = conversation && { conversationId: conversation.id, leaf, shownFrom };
    return this.recall.find(tx, { memberId, query, now, current });
  }
}

@Injectable()
export class ContextBuilder {
  constructor(
    private readonly material: ContextMaterial,
    private readonly lines: LineTokens,
    private readonly calendar: Calendar,
  ) {}

  async build(tx: Transaction, request: ContextRequest, query: PreparedQuery): Promise<MemoryContext> {
    const material = await this.material.read(tx, request, query);
    const { language } = request.assistant;
    const count = (text: string): number => this.lines.count(text);
    return { ...composeContext(material, { language, calendar: this.calendar, count }), cached: false };
  }
}
