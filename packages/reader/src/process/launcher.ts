import { type ChildProcess, spawn } from 'node:child_process';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { LauncherOrder, LauncherReport } from './launcher-messages.js';

const isFromSources = import.meta.url.endsWith('.ts');
const program = fileURLToPath(
  new URL(isFromSources ? './launcher-child.ts' : './launcher-child.js', import.meta.url),
);

/** It takes some 45 MB. */
const IDLE_MS = 60_000;

type Order = LauncherOrder extends infer One ? (One extends unknown ? Omit<One, 'id'> : never) : never;

/** One process that reads, as the server sees it. */
export interface LauncherLink {
  send(order: Order): void;
  /** Forgets it, after its end was reported. */
  close(): void;
}

/** The process that starts those that read documents. */
class Launcher {
  /** False: another one has to be started. */
  isOpen = true;
  private readonly child: ChildProcess;
  private readonly links = new Map<number, (report: LauncherReport) => void>();
  private lastId = 0;
  private idle: NodeJS.Timeout | undefined;

  constructor() {
    this.child = spawn(
      process.execPath,
      ['--no-warnings', ...(isFromSources ? ['--experimental-transform-types'] : []), program],
      {
        cwd: parse(process.execPath).root,
        env: {},
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        serialization: 'advanced',
      },
    );
    this.child.on('message', (report: LauncherReport) => this.links.get(report.id)?.(report));
    this.child.once('error', () => this.stop()).once('exit', () => this.stop());
    // It ends with the server, which it does not keep alive.
    this.child.unref();
    this.child.channel?.unref();
  }

  open(hear: (report: LauncherReport) => void): LauncherLink {
    clearTimeout(this.idle);
    const id = (this.lastId += 1);
    this.links.set(id, hear);
    return {
      send: (order) => {
        // Without it, `stop` has told the end.
        if (this.child.connected) this.child.send({ ...order, id }, () => undefined);
      },
      close: () => {
        this.links.delete(id);
        if (this.links.size === 0) this.idle = setTimeout(() => this.stop(), IDLE_MS).unref();
      },
    };
  }

  /** What it still started ends with it. */
  private stop(): void {
    this.isOpen = false;
    if (this.child.connected) this.child.disconnect();
    for (const [id, hear] of this.links)
      hear({ id, type: 'end', code: null, signal: null, isTooLarge: false, complaint: '' });
  }
}

let launcher: Launcher | null = null;

/** Opens a link to the launcher, which is started when it is needed. */
export function openLauncherLink(hear: (report: LauncherReport) => void): LauncherLink {
  if (!launcher?.isOpen) launcher = new Launcher();
  return launcher.open(hear);
}
