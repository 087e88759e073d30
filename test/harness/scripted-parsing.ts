import { ParserProcess } from '../../src/documents/processing/document-parser.js';
import {
  asOnePage,
  type ParserScript,
  ScriptedDocumentParser,
} from '../../src/documents/processing/scripted-document-parser.double.js';

/** Has documents of servers in this process be read by a script, in the place of processes of their own. */
export function parseBy(script: ParserScript = asOnePage): void {
  vi.spyOn(ParserProcess.prototype, 'parse').mockImplementation((...file) =>
    new ScriptedDocumentParser(script).parse(...file),
  );
}

/** A point in a script where it waits: it says when it is reached, and goes on when it is let. */
export function gate(): { reached: Promise<void>; wait: () => Promise<void>; open: () => void } {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  return {
    reached: reached.promise,
    wait: () => {
      reached.resolve();
      return opened.promise;
    },
    open: () => opened.resolve(),
  };
}
