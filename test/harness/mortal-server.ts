import { finish, gate, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import { startScriptedProvider } from '@palabre/llm-client/scripted-provider.double.js';

import { freePort } from './free-port.js';
import { ServerProcess, type Settings } from './server-process.js';
import type { TestClient } from './test-client.js';
import { makeDataDir } from './test-database.js';

/**
 * A server that dies while its first turn is under way, and is started again at the same address with the same data. Its
 * model says “Bonj” and no more to the first call, and “Bonsoir.” to all others, once it may.
 */
export class MortalServer implements AsyncDisposable {
  private constructor(
    private server: ServerProcess,
    private readonly settings: Settings,
    private readonly stack: AsyncDisposableStack,
  ) {}

  /** `until`: before it the model says nothing to the second call. */
  static async start(until: Promise<void> = Promise.resolve()): Promise<MortalServer> {
    await using stack = new AsyncDisposableStack();
    const dataDir = stack.use(await makeDataDir());
    let calls = 0;
    const never = new Promise<void>(() => undefined);
    const provider = stack.use(
      await startScriptedProvider(() => {
        calls += 1;
        return calls === 1 ? [text('Bonj'), gate(never)] : [gate(until), text('Bonsoir.'), finish()];
      }),
    );
    const settings = {
      DATA_DIR: dataDir.path,
      PORT: String(await freePort()),
      LLM_BASE_URL: provider.baseUrl,
      LLM_MODEL: 'scripted',
      CONVERSATION_TITLES: 'question',
      LEASE_SECONDS: '10',
    };
    return new MortalServer(await ServerProcess.start(settings), settings, stack.move());
  }

  get url(): string {
    return this.server.url;
  }

  client(): Promise<TestClient> {
    return this.server.client();
  }

  async kill(): Promise<void> {
    await this.server.kill('SIGKILL');
  }

  async startAgain(): Promise<void> {
    this.server = await ServerProcess.start(this.settings);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    await this.stack.disposeAsync();
  }
}
