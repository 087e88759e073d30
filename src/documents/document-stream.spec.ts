import fc from 'fast-check';

import { DocumentStream } from './document-stream.js';
import type { DocumentView } from './document-view.js';

const CONTENT_ID = 'content';

const pending: DocumentView = {
  companyId: 'company',
  id: 'document',
  memberId: 'member',
  name: 'a.txt',
  attachmentId: null,
  kind: 'DOCUMENT',
  scope: 'COMPANY',
  conversationId: null,
  contentId: null,
  createdAt: new Date(0),
  storageKey: null,
  mediaType: 'text/plain',
  bytes: 3,
  status: 'PENDING',
  error: null,
  warnings: [],
  remarks: null,
  pages: null,
  passages: null,
  language: null,
  progress: 0,
};

/** A document that changes on command. */
class ChangingDocument {
  readonly id = pending.id;
  hint: (id: string) => void = () => undefined;
  gap: () => void = () => undefined;
  isHeard = false;
  /** Called once after a read, before its answer. */
  onRead: (() => void) | null = null;
  private view: DocumentView | null = pending;

  listen(onHint: (id: string) => void, onGap: () => void): () => void {
    this.hint = onHint;
    this.gap = onGap;
    this.isHeard = true;
    return () => (this.isHeard = false);
  }

  async find(): Promise<DocumentView | null> {
    const { view, onRead } = this;
    this.onRead = null;
    onRead?.();
    await Promise.resolve();
    return view;
  }

  become(change: Partial<DocumentView> | null): void {
    this.view = change === null || this.view === null ? null : { ...this.view, ...change };
  }
}

async function follow(): Promise<{ document: ChangingDocument; stream: DocumentStream }> {
  const document = new ChangingDocument();
  return { document, stream: await new DocumentStream(document).begin() };
}

async function nextOf(stream: DocumentStream): Promise<string | null> {
  const { value, done } = await stream.next();
  return done ? null : `${value.status} ${value.progress}`;
}

describe('a stream of a document', () => {
  it('tells what is there, then each change, and ends after the last', async () => {
    const { document, stream } = await follow();
    expect(await nextOf(stream)).toBe('PENDING 0');
    document.become({ contentId: CONTENT_ID, status: 'PROCESSING' });
    document.hint(document.id);
    expect(await nextOf(stream)).toBe('PROCESSING 0');
    document.become({ progress: 0.5 });
    document.hint(CONTENT_ID);
    expect(await nextOf(stream)).toBe('PROCESSING 0.5');
    document.become({ status: 'COMPLETED', progress: 1 });
    document.hint(CONTENT_ID);
    expect(await nextOf(stream)).toBe('COMPLETED 1');
    expect(await nextOf(stream)).toBeNull();
    expect(document.isHeard).toBe(false);
  });

  it('misses no change of a content that it does not know of yet', async () => {
    const { document, stream } = await follow();
    await stream.next();
    const next = nextOf(stream);
    document.become({ contentId: CONTENT_ID });
    // Arrives while the earlier state is sent.
    document.onRead = () => {
      document.become({ status: 'COMPLETED', progress: 1 });
      document.hint(CONTENT_ID);
    };
    document.hint(document.id);
    expect(await next).toBe('COMPLETED 1');
  });

  it('looks after a time in which nothing may have been heard', async () => {
    const { document, stream } = await follow();
    await stream.next();
    const next = nextOf(stream);
    document.become({ status: 'FAILED', error: 'No.' });
    document.gap();
    expect(await next).toBe('FAILED 0');
  });

  it('ends when the document is gone, and is not begun without one', async () => {
    const { document, stream } = await follow();
    await stream.next();
    const next = nextOf(stream);
    document.become(null);
    document.hint(document.id);
    expect(await next).toBeNull();
    const gone = new DocumentStream(document);
    await expect(gone.begin()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(document.isHeard).toBe(false);
  });

  it('lets go of all as soon as its reader leaves', async () => {
    const { document, stream } = await follow();
    await stream.next();
    const next = nextOf(stream);
    await stream.return();
    expect(await next).toBeNull();
    expect(document.isHeard).toBe(false);
  });

  it('tells no state twice, none out of order, and the last one, whatever hints come or are lost', async () => {
    const step = fc.record({ share: fc.nat(3), hints: fc.nat(2), pauses: fc.nat(20) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { document, stream } = await follow();
        const told: string[] = [];
        const reading = (async () => {
          for await (const { status, progress } of stream) told.push(`${status} ${progress}`);
        })();
        let progress = 0;
        for (const { share, hints, pauses } of steps) {
          progress += share;
          document.become({ contentId: CONTENT_ID, status: 'PROCESSING', progress });
          for (let count = 0; count < hints; count += 1) document.hint(CONTENT_ID);
          for (let count = 0; count < pauses; count += 1) await Promise.resolve();
        }
        document.become({ status: 'COMPLETED', progress: 1_000 });
        document.gap();
        await reading;
        const shares = told.map((state) => Number(state.split(' ')[1]));
        expect(shares).toEqual(shares.toSorted((a, b) => a - b));
        expect(new Set(told).size).toBe(told.length);
        expect(told.at(-1)).toBe('COMPLETED 1000');
      }),
    );
  });
});
