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

/** A launcher that has not ended a process by then hangs, and is killed. */
const MAX_KILL_MS = 10_000;

type Order = LauncherOrder extends infer One ? (One extends unknown ? Omit<One, 'id'> : never) : never;

/** One process that reads, as the server sees it. */
export interface LauncherLink {
  send(order: Order): void;
  kill(): void;
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
        // What it says itself is an error. Readers have pipes.
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        serialization: 'advanced',
      },
    );
    this.child.on('message', (report: LauncherReport) => this.links.get(report.id)?.(report));
    this.child.on('error', () => this.stop()).once('exit', () => this.stop());
    // It ends with the server, which it does not keep alive.
    this.child.unref();
    this.child.channel?.unref();
  }

  open(hear: (report: LauncherReport) => void): LauncherLink {
    clearTimeout(this.idle);
    const id = (this.lastId += 1);
    this.links.set(id, hear);
    let hanging: NodeJS.Timeout | undefined;
    const send = (order: Order): void => {
      // Without it, `stop` has told the end.
      if (this.child.connected) this.child.send({ ...order, id }, () => undefined);
    };
    return {
      send,
      kill: () => {
        send({ type: 'kill' });
        hanging ??= setTimeout(() => this.child.kill('SIGKILL'), MAX_KILL_MS).unref();
      },
      close: () => {
        clearTimeout(hanging);
        this.links.delete(id);
        if (this.links.size === 0) this.idle = setTimeout(() => this.stop(), IDLE_MS).unref();
      },
    };
  }

  /** It kills what it has started when it is disconnected. If it was killed itself, they end with their input. */
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
