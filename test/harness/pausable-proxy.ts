import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network between client and server that can fall silent: connections stay open, and nothing gets through. */
export class PausableProxy implements AsyncDisposable {
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((near) => this.join(near));
  private isPaused = false;

  private constructor(private readonly target: URL) {}

  /** `url`: the server's, of any protocol, with its port. */
  static async to(url: string): Promise<PausableProxy> {
    const proxy = new PausableProxy(new URL(url));
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  /** The server's address, by way of this network. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  /** Holds back what there is and what comes; new connections are made and hear nothing either. */
  pause(): void {
    this.isPaused = true;
    for (const socket of this.sockets) socket.pause();
  }

  /** Ends the silence: what was held back gets through, also what its sender has given up by then. */
  resume(): void {
    this.isPaused = false;
    for (const socket of this.sockets) socket.resume();
  }

  /** Has the connections there are fall silent for good, as a router does that has forgotten them; new ones get through. */
  forget(): void {
    for (const socket of this.sockets) socket.pause();
  }

  /** Lets go of the connections that fell silent, and takes new ones. */
  recover(): void {
    this.isPaused = false;
    for (const socket of this.sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private join(near: Socket): void {
    const far = connect(Number(this.target.port), this.target.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
      socket.on('data', (chunk) => other.write(chunk));
      if (this.isPaused) socket.pause();
    }
  }
}
