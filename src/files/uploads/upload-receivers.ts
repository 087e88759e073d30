import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import type { JsonObject } from '../../common/json.js';
import type { Upload, UploadPurpose } from '../upload.entity.js';

/** What was agreed on when the ticket was given. */
export type UploadTicket = Readonly<Omit<Upload, 'expiresAt' | 'usedAt' | 'createdAt'>>;

/**
 * Takes in what is uploaded, as it comes, and gives what the client is answered. `content` never has more than
 * `ticket.maxBytes`: it fails instead, as it does when the client leaves; `signal` is aborted then, and when the server
 * stops. To refuse what comes, reject with a DomainError: the ticket is used up, and the client is told. After
 * PAYLOAD_TOO_LARGE, RATE_LIMITED, UNAVAILABLE and any other failure the client may try again with the same ticket, so
 * what was begun has to be undone.
 */
export type UploadReceiver = (
  ticket: UploadTicket,
  content: Readable,
  signal: AbortSignal,
) => Promise<JsonObject>;

/** Who takes in what, by what it is for. */
@Injectable()
export class UploadReceivers {
  private readonly receivers = new Map<UploadPurpose, UploadReceiver>();

  /** To be called by the module that gives tickets of this purpose. */
  register(purpose: UploadPurpose, receiver: UploadReceiver): void {
    this.receivers.set(purpose, receiver);
  }

  get(purpose: UploadPurpose): UploadReceiver {
    const receiver = this.receivers.get(purpose);
    if (!receiver) throw new Error(`Nobody takes in uploads for ${purpose}.`);
    return receiver;
  }
}
