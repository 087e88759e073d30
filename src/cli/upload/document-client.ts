import { openAsBlob } from 'node:fs';

import { z } from 'zod';

import { EventSocket } from '../client/event-socket.js';
import { graphqlRequest } from '../client/graphql-request.js';
import { GraphQLErrors, refusalOf } from '../client/request-refused.js';
import { ServerUnreachable } from '../client/server-unreachable.js';

const Sent = z.object({
  id: z.string(),
  status: z.enum(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED']),
  progress: z.number(),
  pages: z.int().nullable(),
  passages: z.int().nullable(),
  error: z.string().nullable(),
  warnings: z.array(z.string()),
});

/** A document as it stands. */
export type SentDocument = z.output<typeof Sent>;

const Ticket = z.object({
  createDocumentUpload: z.object({
    document: z.object({ id: z.string() }),
    url: z.url({ protocol: /^https?$/ }),
    method: z.literal('PUT'),
    headers: z.record(z.string(), z.string()),
  }),
});
const Progress = z.object({ documentProgress: Sent });
const Refusal = z.object({ errors: GraphQLErrors });

const createUpload = `mutation CreateDocumentUpload($input: CreateDocumentUploadInput!) {
  createDocumentUpload(input: $input) { document { id } url method headers }
}`;
const followProgress = `subscription DocumentProgress($id: ID!) {
  documentProgress(documentId: $id) { id status progress pages passages error warnings }
}`;

/** As long as a ticket of the server lasts. */
const SENDING_MS = 15 * 60_000;

/** Sends documents by the public API. Rejects with ServerUnreachable or RequestRefused. */
export class DocumentClient {
  private readonly endpoint: string;
  private readonly socket: EventSocket;

  constructor(
    serverUrl: string,
    private readonly token: () => Promise<string>,
  ) {
    this.endpoint = `${serverUrl}/graphql`;
    this.socket = new EventSocket(this.endpoint.replace(/^http/, 'ws'), token, () => undefined);
  }

  /** Gives the document's id once its bytes are there. What it is, the server finds out by itself. */
  async send(path: string, name: string): Promise<string> {
    const file = await openAsBlob(path);
    const input = { name, mediaType: '', bytes: file.size };
    const data = await graphqlRequest(this.endpoint, await this.token(), {
      query: createUpload,
      variables: { input },
    });
    const { url, method, headers, document } = this.checked(Ticket, data).createDocumentUpload;
    const signal = AbortSignal.timeout(SENDING_MS);
    const response = await fetch(url, { method, headers, body: file, signal }).catch((cause: unknown) => {
      throw new ServerUnreachable(`The file could not be sent to ${new URL(url).origin}.`, { cause });
    });
    if (!response.ok) throw await refusalIn(response);
    await response.body?.cancel();
    return document.id;
  }

  /** How the document stands, now and whenever that changes, until it is COMPLETED or FAILED. */
  async *follow(id: string): AsyncGenerator<SentDocument, void> {
    for await (const data of this.socket.results({ query: followProgress, variables: { id } })) {
      const { documentProgress: document } = this.checked(Progress, data);
      yield document;
      if (document.status === 'COMPLETED' || document.status === 'FAILED') return;
    }
  }

  close(): Promise<void> {
    return this.socket.close();
  }

  private checked<T>(schema: z.ZodType<T>, data: unknown): T {
    const { success, data: value, error } = schema.safeParse(data);
    if (success) return value;
    throw new ServerUnreachable(`What answers at ${this.endpoint} does not keep to Palabre's contract.`, {
      cause: error,
    });
  }
}

const refusalIn = async (response: Response): Promise<Error> => {
  const refusal = Refusal.safeParse(await response.json().catch(() => null));
  return refusal.success
    ? refusalOf(refusal.data.errors)
    : new ServerUnreachable(`The file was not taken (HTTP ${response.status}).`);
};
