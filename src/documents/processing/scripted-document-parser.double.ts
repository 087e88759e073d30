import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import type { ParsedPage, ParsedSummary } from '@palabre/reader';

import { DocumentParser } from './document-parser.js';

interface ScriptedFile {
  name: string;
  bytes: Buffer;
}

/** Yields the pages of a file and returns the parts of the summary that differ from the default. */
export type ParserScript = (
  file: ScriptedFile,
) => AsyncGenerator<ParsedPage, Partial<ParsedSummary> | undefined>;

const usual: ParsedSummary = { format: 'text', mediaType: 'text/plain', pages: null, warnings: [] };

/** A parser for tests that plays a script until it is aborted. */
export class ScriptedDocumentParser extends DocumentParser {
  constructor(private readonly script: ParserScript) {
    super();
  }

  async *parse(
    content: Readable,
    { name }: { name: string },
    signal: AbortSignal,
  ): AsyncGenerator<ParsedPage, ParsedSummary> {
    const aborted = Promise.withResolvers<never>();
    aborted.promise.catch(() => undefined);
    const onAbort = (): void => aborted.reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    let pages: ReturnType<ParserScript> | null = null;
    try {
      signal.throwIfAborted();
      pages = this.script({ name, bytes: await buffer(content) });
      for (;;) {
        const next = await Promise.race([pages.next(), aborted.promise]);
        if (next.done) return { ...usual, ...next.value };
        yield next.value;
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      content.destroy();
      // Not awaited: the script may be in the middle of a step.
      pages?.return(undefined).catch(() => undefined);
    }
  }
}

/** The file's text as one page. */
export const asOnePage: ParserScript = async function* ({ bytes }) {
  yield { number: null, markdown: bytes.toString() };
  return undefined;
};
