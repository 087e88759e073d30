import { notFound } from '../common/errors/domain-error.js';
import { LiveStream } from '../common/live-stream.js';
import { retryUntilConnected } from '../platform/database/retry-until-connected.js';
import { type DocumentView, isOver } from './document-view.js';

/** How a stream listens to and reads its document. */
interface FollowedDocument {
  id: string;
  /** Calls `onHint` with ids of documents and contents that have changed, until the returned function is called. */
  listen(onHint: (id: string) => void, onGap: () => void): () => void;
  /** Null: it is gone. */
  find(): Promise<DocumentView | null>;
}

/**
 * Streams the state of a document: first the current one, then every change. Ends when processing has ended or the
 * document is gone. Slow clients skip intermediate states.
 */
export class DocumentStream extends LiveStream<DocumentView> {
  private contentId: string | null = null;
  private first: DocumentView | null = null;
  private told: string | null = null;
  private isAtEnd = false;
  private stopListening: (() => void) | null = null;
  private readonly closing = new AbortController();

  constructor(private readonly document: FollowedDocument) {
    super();
  }

  /** Rejects with NOT_FOUND. */
  async begin(): Promise<this> {
    try {
      // Listens before reading: later changes wake us.
      this.stopListening = this.document.listen(
        (id) => this.onHint(id),
        () => this.wake(),
      );
      this.first = await this.document.find();
      if (!this.first) throw notFound('document');
      this.contentId = this.first.contentId;
      return this;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  protected override onTold(view: DocumentView): void {
    this.told = stateOf(view);
    this.isAtEnd = isOver(view);
  }

  protected override release(): void {
    this.closing.abort();
    this.stopListening?.();
    this.stopListening = null;
  }

  protected override async find(): Promise<DocumentView | null> {
    while (!this.isClosed && !this.isAtEnd) {
      const view = this.first ?? (await this.look());
      this.first = null;
      if (!view) return null;
      if (stateOf(view) !== this.told) return view;
    }
    return null;
  }

  private async look(): Promise<DocumentView | null> {
    await this.wait();
    if (this.isClosed) return null;
    const view = await retryUntilConnected(() => this.document.find(), this.closing.signal);
    this.contentId = view?.contentId ?? null;
    return view;
  }

  private onHint(id: string): void {
    // While the content's id is unknown, any hint may be about it.
    if (this.contentId === null || id === this.contentId || id === this.document.id) this.wake();
  }
}

/** The visible part as one string, for comparison. */
function stateOf({
  contentId: _contentId,
  storageKey: _storageKey,
  memberId: _memberId,
  ...shown
}: DocumentView): string {
  return JSON.stringify(shown);
}
