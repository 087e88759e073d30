import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A web site on a loopback address, for tests. `handler` answers the requests. */
export class LocalSite implements AsyncDisposable {
  /** The requests so far, as "GET /path". */
  readonly requests: string[] = [];
  private readonly server = createServer((request, response) => {
    this.requests.push(`${request.method} ${request.url}`);
    this.handler(request, response);
  });

  private constructor(public handler: Handler) {}

  static async start(handler: Handler, host = '127.0.0.1', port = 0): Promise<LocalSite> {
    const site = new LocalSite(handler);
    site.server.listen(port, host);
    await once(site.server, 'listening');
    return site;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}
