import { Injectable } from '@nestjs/common';

import type { Logger } from '../common/process/logger.js';
import { retryUntilConnected } from '../platform/database/retry-until-connected.js';
import type { Transaction } from '../platform/database/transaction.js';
import { operation } from '../platform/tracing/semantic-names.js';
import { inSpan, type SpanOptions } from '../platform/tracing/span.js';
import type { ContextRequest, MemoryContext } from '../memory/context/memory-context.js';
import { MemoryContexts } from '../memory/context/memory-contexts.service.js';
import type { MemoryPort } from './loop/agent-ports.js';
import type { RunHandle } from './runs/running-turn.js';

interface TurnMemoryOptions {
  companyId: string;
  request: ContextRequest;
  /** The state in which the memory was empty, if just read. Null: not read, or not empty. */
  blankState: number | null;
  run: Pick<RunHandle, 'signal'>;
  logger: Logger;
}

/** Memories for the loop of one turn. */
@Injectable()
export class TurnMemory {
  constructor(private readonly contexts: MemoryContexts) {}

  /** Null: there may be memories. One statement, because every turn pays for it. */
  async readBlankState(tx: Transaction, memberId: string): Promise<number | null> {
    const state = this.contexts.stateOf(tx.companyId);
    return (await this.contexts.isBlank(tx, memberId)) ? state : null;
  }

  portOf(options: TurnMemoryOptions): MemoryPort {
    const port = new TurnMemoryPort(this.contexts, options);
    port.prepare(options.run.signal);
    return port;
  }
}

function searching(): SpanOptions {
  return { attributes: { operation: operation.searchMemory } };
}

class TurnMemoryPort implements MemoryPort {
  /** The text for the next model call, looked up while other things are prepared. */
  private next: Promise<string> | null = null;
  /** The last result. It is reused while the state is the same. */
  private last: { state: number; text: string } | null;

  constructor(
    private readonly contexts: MemoryContexts,
    private readonly options: TurnMemoryOptions,
  ) {
    const { blankState } = options;
    this.last = blankState === null ? null : { state: blankState, text: '' };
  }

  prepare(signal: AbortSignal): void {
    this.next ??= this.look(signal);
    // A caller of `read` gets the error. There may be no such caller.
    this.next.catch(() => undefined);
  }

  read(signal: AbortSignal): Promise<string> {
    const text = this.next ?? this.look(signal);
    this.next = null;
    return text;
  }

  /** A turn without memories is better than none. */
  private async look(signal: AbortSignal): Promise<string> {
    const { companyId, request, logger } = this.options;
    const state = this.contexts.stateOf(companyId);
    if (this.last?.state === state) return this.last.text;
    try {
      const read = (): Promise<MemoryContext> =>
        inSpan(operation.searchMemory, searching, () => this.contexts.read(companyId, request, signal));
      const { text } = await retryUntilConnected(read, signal);
      this.last = { state, text };
      return text;
    } catch (error) {
      signal.throwIfAborted();
      logger.warn({ err: error }, 'what is remembered could not be read');
      return '';
    }
  }
}
