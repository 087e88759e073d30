import type { RecalledMessage } from '../../conversations/recall/message-recall.service.js';
import type { Memory } from '../../memory/memory.entity.js';
import type { Mentions } from '../../memory/mentions/mentions.service.js';
import type { Material, ToTell } from '../compose-context.js';
import { folded } from './message-shape.js';

/** Of what was found, this much at least is to bear on the message for it to be told. */
const LEAST_SCORE = 0.15;

/** What was read, before anything is chosen. */
export interface Found {
  memberId: string;
  /** The newest first. */
  preferences: readonly Memory[];
  /** The surest first. */
  named: Mentions;
  /** The project of the conversation. */
  pinned: Memory | null;
  /** By search, of all kinds. */
  found: readonly ToTell[];
  recalled: readonly RecalledMessage[];
}

/** What of it is to be told, and in which section; nothing twice. */
export const selectMaterial = ({
  memberId,
  preferences,
  named,
  pinned,
  found,
  recalled,
}: Found): Material => {
  const told = new Told();
  const [active = null, ...otherProjects] = [...named.projects, ...(pinned ? [pinned] : [])].filter(
    isProject,
  );
  const scores = new Map(found.map(({ memory, score }) => [memory.id, score]));
  const inForce = [...preferences, ...preferencesIn(found)].map((memory) => ({
    memory,
    score: scores.get(memory.id) ?? 0,
  }));
  // Of two that say the same, the member's own is told.
  const sections = {
    preferences: told.takeNew(inForce.toSorted(ownAndNewFirst(memberId))).toSorted(byScore),
    project: told.takeNew(active ? [{ memory: active, score: 1 }] : [])[0] ?? null,
    contacts: told.takeNew(named.contacts.map((memory) => ({ memory, score: 1 }))),
  };
  const relevant = found.filter(({ score }) => score >= LEAST_SCORE);
  const facts = [...otherProjects.map((memory) => ({ memory, score: 1 })), ...relevant];
  return {
    ...sections,
    facts: told.takeNew(facts.toSorted(ownAndNewFirst(memberId))).toSorted(byScore),
    recalled: withoutCopies(recalled).filter(({ message }) => told.isNew(message.text)),
  };
};

/** A conversation that was brought in twice was held once. */
const withoutCopies = (recalled: readonly RecalledMessage[]): RecalledMessage[] => {
  const firsts = new Map<string, RecalledMessage>();
  for (const one of recalled) {
    const { createdAt, text } = one.message;
    const said = JSON.stringify([createdAt.getTime(), one.speaker, text]);
    if (!firsts.has(said)) firsts.set(said, one);
  }
  return [...firsts.values()];
};

const isProject = ({ kind }: Memory): boolean => kind === 'PROJECT';

const preferencesIn = (found: readonly ToTell[]): Memory[] =>
  found.flatMap(({ memory }) => (memory.kind === 'PREFERENCE' ? [memory] : []));

const byScore = (a: ToTell, b: ToTell): number => b.score - a.score;

const ownAndNewFirst =
  (memberId: string) =>
  ({ memory: a }: ToTell, { memory: b }: ToTell): number =>
    Number(b.ownerId === memberId) - Number(a.ownerId === memberId) || compare(b.id, a.id);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** What is told already. */
class Told {
  private readonly lineages = new Set<string>();
  private readonly texts = new Set<string>();

  /** In force, not told before, and not saying what another one says. */
  takeNew(memories: readonly ToTell[]): ToTell[] {
    return memories.filter(({ memory }) => this.take(memory));
  }

  isNew(text: string): boolean {
    return this.texts.size === 0 || !this.texts.has(folded(text));
  }

  private take({ lineageId, supersededBy, subject, content }: Memory): boolean {
    if (supersededBy !== null || this.lineages.has(lineageId)) return false;
    const says = folded(content);
    const texts = [says, `${folded(subject)} ${says}`.trim()].filter((text) => text !== '');
    if (texts.length > 0 && texts.every((text) => this.texts.has(text))) return false;
    this.lineages.add(lineageId);
    for (const text of texts) this.texts.add(text);
    return true;
  }
}
