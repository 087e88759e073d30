import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

const accepted = channel('net.server.socket');

/** The server's ends of the connections that are opened to it while this lives. */
export class ServerSockets implements Disposable {
  readonly all: Socket[] = [];
  private readonly port: number;

  constructor(url: string) {
    this.port = Number(new URL(url).port);
    accepted.subscribe(this.add);
  }

  /** The only one there should be. */
  get only(): Socket {
    const [socket, ...others] = this.all;
    if (!socket || others.length > 0) throw new Error(`There are ${this.all.length} sockets.`);
    return socket;
  }

  [Symbol.dispose](): void {
    accepted.unsubscribe(this.add);
  }

  private readonly add = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    if (socket.localPort === this.port) this.all.push(socket);
  };
}

/** Resolves once it is so; looks again whenever something may have happened in this process. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate();
}
