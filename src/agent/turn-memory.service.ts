import { Injectable } from '@nestjs/common';

import type { Logger } from '../common/process/logger.js';
import { retryUntilConnected } from '../platform/database/retry-until-connected.js';
import type { Transaction } from '../platform/database/transaction.js';
import type { ContextRequest } from '../memory/context/memory-context.js';
import { MemoryContexts } from '../memory/context/memory-contexts.service.js';
import type { MemoryPort } from './loop/agent-ports.js';
import type { RunHandle } from './runs/running-turn.js';

/** Whose memory it is, and what is known of it already. */
interface TurnMemoryOptions {
  companyId: string;
  request: ContextRequest;
  /** It was looked just now, and there is nothing. */
  isBlank: boolean;
  run: Pick<RunHandle, 'signal'>;
  logger: Logger;
}

/** What is remembered, as the loop of one turn is told of it. */
@Injectable()
export class TurnMemory {
  constructor(private readonly contexts: MemoryContexts) {}

  /** Whether there is nothing that a turn which `tx` creates could be told. One statement, for every turn pays for it. */
  isBlank(tx: Transaction, memberId: string): Promise<boolean> {
    return this.contexts.isBlank(tx, memberId);
  }

  portOf(options: TurnMemoryOptions): MemoryPort {
    const port = new TurnMemoryPort(this.contexts, options);
    port.begin();
    return port;
  }
}

class TurnMemoryPort implements MemoryPort {
  /** What the next model call is told: looked for while other things are prepared. */
  private next: Promise<string> | null = null;

  constructor(
    private readonly contexts: MemoryContexts,
    private readonly options: TurnMemoryOptions,
  ) {}

  begin(): void {
    const { isBlank, run } = this.options;
    if (isBlank) this.next = Promise.resolve('');
    else this.prepare(run.signal);
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
    try {
      return (await retryUntilConnected(() => this.contexts.read(companyId, request, signal), signal)).text;
    } catch (error) {
      signal.throwIfAborted();
      logger.warn({ err: error }, 'what is remembered could not be read');
      return '';
    }
  }
}
