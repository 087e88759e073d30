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
  /** The state in which there was nothing, when it was looked just now; null: it was not, or there is something. */
  blankState: number | null;
  run: Pick<RunHandle, 'signal'>;
  logger: Logger;
}

/** What is remembered, as the loop of one turn is told of it. */
@Injectable()
export class TurnMemory {
  constructor(private readonly contexts: MemoryContexts) {}

  /** Null: there may be something. One statement, for every turn pays for it. */
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
  /** What the next model call is told: looked for while other things are prepared. */
  private next: Promise<string> | null = null;
  /** What was found last; what has not changed since need not be looked for. */
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
    // Whoever asks for it is told; nobody may.
    this.next.catch(() => undefined);
  }

  read(signal: AbortSignal): Promise<string> {
    const text = this.next ?? this.look(signal);
    this.next = null;
    return text;
  }

  /** A turn without what is remembered is better than none. */
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
