import { existing } from '../common/errors/domain-error.js';
import { HintedStream, type Listen } from '../platform/pubsub/hinted-stream.js';
import { type DocumentView, isOver } from './document-view.js';

interface FollowedDocument {
  id: string;
  /** The hints are ids of documents and contents that have changed. */
  listen: Listen;
  /** Null: it is gone. */
  find(): Promise<DocumentView | null>;
}

/**
 * Streams the state of a document: first the current one, then every change. Ends when processing has ended or the
 * document is gone.
 */
export class DocumentStream extends HintedStream<DocumentView> {
  private contentId: string | null = null;
  private first: DocumentView | null = null;
  private told: string | null = null;
  private isAtEnd = false;

  constructor(private readonly document: FollowedDocument) {
    super(document);
  }

  /** Rejects with NOT_FOUND. */
  async begin(): Promise<this> {
    this.first = await this.listening(async () => {
      const view = existing(await this.document.find(), 'document');
      this.contentId = view.contentId;
      return view;
    });
    return this;
  }

  protected override onTold(view: DocumentView): void {
    this.told = stateOf(view);
    this.isAtEnd = isOver(view);
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

  protected override onHint(id: string): void {
    // While the content's id is unknown, any hint may be about it.
    if (this.contentId === null || id === this.contentId || id === this.document.id) this.wake();
  }

  protected override onGap(): void {
    this.wake();
  }

  private async look(): Promise<DocumentView | null> {
    await this.wait();
    if (this.isClosed) return null;
    const view = await this.readOnceConnected(() => this.document.find());
    this.contentId = view?.contentId ?? null;
    return view;
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
