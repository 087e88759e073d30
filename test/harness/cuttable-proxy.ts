import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network between client and server that can fail. */
export class CuttableProxy implements AsyncDisposable {
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((near) => this.join(near));

  /** As proxies that know no WebSockets: they answer a request for one themselves. */
  refusesUpgrades = false;

  private constructor(private port: number) {}

  static async to(url: string): Promise<CuttableProxy> {
    const proxy = new CuttableProxy(Number(new URL(url).port));
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Where new connections go from now on. */
  leadTo(url: string): void {
    this.port = Number(new URL(url).port);
  }

  /** Cuts every connection there is, without a word. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.cut();
    await closed;
  }

  private join(near: Socket): void {
    if (!this.refusesUpgrades) return this.lead(near);
    near.once('error', () => near.destroy());
    near.once('data', (head: Buffer) => {
      if (/^upgrade: websocket/im.test(head.toString()))
        return near.end('HTTP/1.1 403 Forbidden\r\n\r\n', () => near.destroy());
      near.pause();
      near.unshift(head);
      return this.lead(near);
    });
  }

  private lead(near: Socket): void {
    const far = connect(this.port, '127.0.0.1');
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
      socket.pipe(other);
    }
  }
}
