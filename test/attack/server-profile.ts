import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { WebSocket } from 'ws';

/** Looks at what the server's thread does, by its debugger: the profiles are for Chrome's developer tools. */
export class ServerProfile implements AsyncDisposable {
  private count = 0;

  private constructor(
    private readonly socket: WebSocket,
    private readonly folder: string,
  ) {}

  /** The server's programs and threads are not looked at. */
  static async open(debuggerUrl: string, folder: string): Promise<ServerProfile> {
    await mkdir(folder, { recursive: true });
    const socket = new WebSocket(debuggerUrl);
    await once(socket, 'open');
    const profile = new ServerProfile(socket, folder);
    await profile.ask('Profiler.enable');
    return profile;
  }

  async start(): Promise<void> {
    await this.ask('Profiler.start');
  }

  /** Ends what `start` began, and stores it under the name. */
  async stop(name: string): Promise<void> {
    const { profile } = (await this.ask('Profiler.stop')) as { profile: object };
    const file = `${name.replaceAll(/\W+/g, '-')}.cpuprofile`;
    await writeFile(join(this.folder, file), JSON.stringify(profile));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  private async ask(method: string): Promise<unknown> {
    const id = ++this.count;
    this.socket.send(JSON.stringify({ id, method }));
    for (;;) {
      const [data] = (await once(this.socket, 'message')) as [Buffer];
      const answer = JSON.parse(data.toString()) as { id?: number; result?: unknown };
      if (answer.id === id) return answer.result;
    }
  }
}
