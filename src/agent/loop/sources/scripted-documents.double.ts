import { RETRIEVE_DOCUMENTS } from '../../../skills/functions/documents/document-skill-keys.js';
import type { AgentTurn } from '../agent-turn.js';
import { type Carry, succeeded } from '../scripted-turn.double.js';
import type { Source, UnreadDocument } from './sources.js';

export type Findings = Source[] | ((signal: AbortSignal) => Promise<Source[]>);

/** Documents in memory, for tests: the results of each query. Unknown queries find nothing. */
export class ScriptedDocuments {
  readonly queries: string[] = [];

  constructor(
    private readonly found: Record<string, Findings>,
    private readonly unread: readonly UnreadDocument[] = [],
  ) {}

  /** What a turn knows of these documents. */
  get known(): AgentTurn['documents'] {
    return { areThere: Object.keys(this.found).length > 0, asked: [] };
  }

  /** The skill that searches them, by its key. */
  get skills(): Record<string, Carry> {
    return {
      [RETRIEVE_DOCUMENTS]: async ({ query }, signal) => {
        const asked = typeof query === 'string' ? query : '';
        this.queries.push(asked);
        const found = this.found[asked] ?? [];
        const passages = (typeof found === 'function' ? await found(signal) : found).map(
          ({ documentName: document, ...rest }) => ({ document, ...rest }),
        );
        return succeeded(
          JSON.stringify({ passages, ...(this.unread.length > 0 && { unread: this.unread }) }),
        );
      },
    };
  }
}
