import { newId } from '../../../common/ids.js';
import type { Claim } from '../claims/turn-claim.js';
import type { MadeModelCall, Payer, StoredModelCall } from '../model-calls/model-call.js';
import { PromptDeltas } from '../model-calls/stored-prompts.js';
import type { TurnEntry } from '../turn-event.js';
import { type AnswerPieces, trackPieces } from './ended-replay.js';
import type { Append } from './turn-event.repository.js';
import { splitHalfCharacter, wellFormed, wellFormedValue } from '../../../common/well-formed.js';

/** More means that the database does not keep up, so the model waits. It also bounds the size of an event. */
const MAX_WAITING_CHARACTERS = 16 * 1024;

/** Entries whose texts are joined, in the order of an answer. */
const deltaTypes = ['reasoning-delta', 'text-delta'] as const;
type DeltaType = (typeof deltaTypes)[number];

/** A text, and the first half of a split character at its end. */
interface Said {
  text: string;
  half: string;
}

function nothingSaid(): Record<DeltaType, Said> {
  return { 'reasoning-delta': { text: '', half: '' }, 'text-delta': { text: '', half: '' } };
}

/** Stores pending data of writers: within a window, or at once if urgent. */
export interface Committer {
  offer(writer: TurnWriter, urgent: boolean): void;
  /** The writer has nothing more to store. */
  leave(writer: TurnWriter): void;
}

/** Data that a turn's owner has not stored when it releases the turn. */
export interface LastEntries extends Pick<Append, 'before' | 'calls'> {
  rest: readonly TurnEntry[];
  /** The answer's pieces, including those of `rest`. */
  pieces: AnswerPieces;
  /** Whether echoes were stored. Absent: unknown. */
  hasEchoes?: boolean;
}

/** Text between two commits becomes one event. Nothing is stored after a part that failed: there is never a gap. */
export class TurnWriter {
  /** Text and reasoning since the last reset. */
  private said: Record<DeltaType, Said> = nothingSaid();
  private waiting: TurnEntry[] = [];
  private waitingCharacters = 0;
  /** The approximate characters of other waiting entries and model calls. Models do not wait for these. */
  private otherCharacters = 0;
  /** Model calls, stored together with the next entries. */
  private calls: StoredModelCall[] = [];
  private readonly prompts = new PromptDeltas();
  /** Whether a step with an echo was written. */
  private hasEchoes = false;
  /** Whether pending data must be stored at once, not at the end of the window. */
  private urgent = false;
  private underWay: Append | null = null;
  /** The pieces of the stored text. */
  private readonly pieces: number[] = [];
  private failure: { error: unknown } | null = null;
  private closed = false;
  private abandoned = false;
  /** Callers that wait for the part under way to be stored. */
  private onSettled: (() => void)[] = [];

  constructor(
    readonly claim: Claim,
    /** The number of the last event stored. */
    private sequence: number,
    private readonly committer: Committer,
  ) {}

  /** The answer so far: the text since the last reset. */
  get text(): string {
    return this.said['text-delta'].text;
  }

  get reasoning(): string {
    return this.said['reasoning-delta'].text;
  }

  /** Takes an entry. Rejects when a part could not be stored; waits while too much text is waiting. */
  async write(entry: TurnEntry): Promise<void> {
    this.throwFailure();
    if (entry.type === 'text-delta' || entry.type === 'reasoning-delta') this.take(entry.text, entry.type);
    else this.add(wellFormedValue(entry));
    while (this.waitingCharacters > MAX_WAITING_CHARACTERS) {
      await this.whenPartFinished();
      this.throwFailure();
    }
  }

  /** The approximate number of waiting characters. */
  get waitingLength(): number {
    return this.waitingCharacters + this.otherCharacters;
  }

  /** Whether text may be taken without waiting. */
  get isReady(): boolean {
    return !this.closed && this.failure === null && this.waitingCharacters <= MAX_WAITING_CHARACTERS;
  }

  /** Takes text of the answer, or of the reasoning before it. A caller that may wait uses `write`. */
  take(text: string, type: DeltaType = 'text-delta'): void {
    const said = this.said[type];
    // NULs are removed first: one could stand between the halves of a surrogate pair.
    const { whole, half } = splitHalfCharacter(said.half + text.replaceAll('\0', ''));
    said.half = half;
    if (whole === '') return;
    const isFirst = said.text === '';
    this.pushText(wellFormed(whole), type);
    this.offer(isFirst);
  }

  /** Takes a model call, to be stored with the next entries. */
  record(call: MadeModelCall, payer: Payer): void {
    const added = this.prompts.next(call.messages);
    for (const { content } of added.messages) this.otherCharacters += content.length;
    this.calls.push({ ...call, ...payer, ...added, id: newId() });
  }

  /** Resolves when everything written is stored; rejects when it cannot be. */
  async stored(): Promise<void> {
    while (this.underWay || this.waiting.length > 0) {
      this.throwFailure();
      this.offer(true);
      await this.whenPartFinished();
    }
    this.throwFailure();
  }

  /** For the committer: takes what waits as the part under way. Null: there is nothing to store now. */
  takePart(): Append | null {
    if (this.underWay || this.closed || this.failure || this.waiting.length === 0) return null;
    this.underWay = { claim: this.claim, before: this.sequence, entries: this.waiting, calls: this.calls };
    this.waiting = [];
    this.calls = [];
    this.waitingCharacters = 0;
    this.otherCharacters = 0;
    this.urgent = false;
    return this.underWay;
  }

  /** For the committer: the part under way was stored, or failed. */
  finishPart(failure: { error: unknown } | null): void {
    this.failure ??= failure;
    const { entries, calls } = this.underWay ?? { entries: [], calls: [] };
    if (failure) {
      // The calls were made, so the end of the turn counts them. If the part was stored after all, the turn has moved
      // on, and the end with its calls is refused.
      this.calls.unshift(...calls);
    } else {
      this.sequence += entries.length;
      trackPieces(this.pieces, entries);
    }
    this.underWay = null;
    this.resumeAll();
    if (!this.failure && this.waiting.length > 0) this.offer(this.urgent);
  }

  /** Rejects all current and later waits for storing with `reason`. */
  abandon(reason: unknown): void {
    this.abandoned = true;
    this.failure ??= { error: reason };
    this.resumeAll();
  }

  /** Unstored entries, and the sequence before them. After a failure a reset and the whole text. Never rejects. */
  async close(): Promise<Required<LastEntries>> {
    this.closed = true;
    this.committer.leave(this);
    while (this.underWay && !this.abandoned) await this.whenPartFinished();
    for (const type of deltaTypes) {
      if (this.said[type].half !== '') this.pushText('\uFFFD', type);
      this.said[type].half = '';
    }
    const rest = this.failure ? this.rewrittenText() : this.waiting;
    this.waiting = [];
    trackPieces(this.pieces, rest);
    const { sequence: before, pieces, calls, hasEchoes } = this;
    return { rest, before, pieces, calls, hasEchoes };
  }

  private add(entry: TurnEntry): void {
    this.waiting.push(entry);
    this.otherCharacters += JSON.stringify(entry).length;
    this.hasEchoes ||= entry.type === 'skill-started' && entry.asked.echo !== undefined;
    if (entry.type === 'text-reset') this.said = nothingSaid();
    // Not urgent: nobody sees the difference. A turn's entries come in pairs, and a commit for each entry would cost
    // more than all its text.
    this.offer(false);
  }

  private pushText(text: string, type: DeltaType): void {
    this.said[type].text += text;
    this.waitingCharacters += text.length;
    const last = this.waiting.at(-1);
    if (last?.type === type) last.text += text;
    else this.waiting.push({ type, text });
  }

  private rewrittenText(): TurnEntry[] {
    const again = deltaTypes.map((type) => ({ type, text: this.said[type].text }));
    return [{ type: 'text-reset', cause: 'RETRIED' }, ...again.filter(({ text }) => text !== '')];
  }

  private offer(urgent: boolean): void {
    this.urgent ||= urgent;
    if (!this.closed) this.committer.offer(this, this.urgent);
  }

  private resumeAll(): void {
    for (const resume of this.onSettled.splice(0)) resume();
  }

  private whenPartFinished(): Promise<void> {
    return new Promise((resolve) => this.onSettled.push(resolve));
  }

  private throwFailure(): void {
    if (this.failure) throw this.failure.error;
  }
}

/** The window grows with the number of writing turns, so the cost of each token falls when it matters. */
const WINDOW_MS = { least: 25, perTurn: 0.2, most: 80 };

/** The approximate size of a commit. Others' first words wait for its end. */
const MAX_COMMIT_CHARACTERS = 128 * 1024;

/** Stores parts; the outcome of each is null (stored) or an error. Never rejects. */
type Store = (parts: readonly Append[]) => Promise<({ error: unknown } | null)[]>;

/** Stores urgent events at once, others a window after the last commit. The commit is expensive, not the row. */
export class GroupCommit implements Committer {
  private readonly waiting = new Set<TurnWriter>();
  /** Writers that have not left, even while they have nothing to store. */
  private readonly writing = new Set<TurnWriter>();
  private urgent = false;
  private soon: NodeJS.Immediate | null = null;
  private later: NodeJS.Timeout | null = null;
  private committing = false;
  private lastCommitAt = 0;

  constructor(private readonly store: Store) {}

  offer(writer: TurnWriter, urgent: boolean): void {
    this.waiting.add(writer);
    this.writing.add(writer);
    this.urgent ||= urgent;
    this.schedule();
  }

  leave(writer: TurnWriter): void {
    this.writing.delete(writer);
  }

  get committingForMs(): number | null {
    return this.committing ? performance.now() - this.lastCommitAt : null;
  }

  private schedule(): void {
    // While a commit is under way, new parts wait for its end.
    if (this.committing || this.waiting.size === 0) return;
    if (this.urgent) {
      // At the end of this round of the event loop, so that everything from one read of the sockets goes together.
      this.soon ??= setImmediate(() => this.begin());
    } else {
      const ms = Math.max(0, this.lastCommitAt + this.windowMs - performance.now());
      this.later ??= setTimeout(() => this.begin(), ms);
    }
  }

  private get windowMs(): number {
    const { least, perTurn, most } = WINDOW_MS;
    return Math.min(most, Math.max(least, perTurn * this.writing.size));
  }

  private begin(): void {
    if (this.soon) clearImmediate(this.soon);
    if (this.later) clearTimeout(this.later);
    this.soon = null;
    this.later = null;
    this.committing = true;
    this.lastCommitAt = performance.now();
    void this.commit().finally(() => {
      this.committing = false;
      this.schedule();
    });
  }

  private async commit(): Promise<void> {
    const writers: TurnWriter[] = [];
    const parts: Append[] = [];
    let characters = 0;
    for (const writer of byTurnsOfCompanies(this.waiting)) {
      if (characters >= MAX_COMMIT_CHARACTERS) break;
      this.waiting.delete(writer);
      const length = writer.waitingLength;
      const part = writer.takePart();
      if (!part) continue;
      characters += length;
      writers.push(writer);
      parts.push(part);
    }
    // The window of the remaining data is over too.
    this.urgent = this.waiting.size > 0;
    if (parts.length === 0) return;
    const outcomes = await this.store(parts);
    for (const [index, writer] of writers.entries()) writer.finishPart(outcomes[index] ?? null);
  }
}

/** One of each company, then the next of each, so that heavy writers come last. */
function* byTurnsOfCompanies(writers: Iterable<TurnWriter>): Generator<TurnWriter> {
  const companies = [...Map.groupBy(writers, ({ claim }) => claim.companyId).values()];
  const most = Math.max(0, ...companies.map(({ length }) => length));
  for (let place = 0; place < most; place += 1) {
    for (const { [place]: writer } of companies) if (writer) yield writer;
  }
}
