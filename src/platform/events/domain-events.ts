import { Injectable } from '@nestjs/common';

import type { Transaction } from '../database/transaction.js';

/** An event and the type of its payload. Each feature declares its own. */
interface DomainEvent<Payload> {
  readonly name: string;
  /** Never set. It only carries the type `Payload`. */
  readonly payload?: Payload;
}

type Handler<Payload> = (tx: Transaction, payload: Payload) => Promise<void>;

export function defineEvent<Payload>(name: string): DomainEvent<Payload> {
  return { name };
}

/**
 * Lets a feature notify rooms above it, which it must not import. Handlers run one after the other inside the
 * transaction, and an error of a handler fails it.
 */
@Injectable()
export class DomainEvents {
  private readonly handlers = new Map<string, Handler<never>[]>();

  /** Call it while the application is initialised. */
  on<Payload>(event: DomainEvent<Payload>, handler: Handler<Payload>): void {
    this.handlers.set(event.name, [...(this.handlers.get(event.name) ?? []), handler]);
  }

  async emit<Payload>(tx: Transaction, event: DomainEvent<Payload>, payload: Payload): Promise<void> {
    // Only `on` adds handlers, so those under this name take this payload.
    for (const handler of (this.handlers.get(event.name) ?? []) as Handler<Payload>[])
      await handler(tx, payload);
  }
}
