import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Settings } from './server-process.js';

/** `send_once` must not be carried out twice, `look_up` may be. Both take `ms`: how long they take. */
export type WitnessedSkill = 'send_once' | 'look_up';

/** Sees from outside how often servers carry out a skill call, also those that are killed in the middle of one. */
export class Witness implements AsyncDisposable {
  private constructor(private readonly folder: string) {}

  static async open(): Promise<Witness> {
    const witness = new Witness(await mkdtemp(join(tmpdir(), 'palabre-witness-')));
    await writeFile(witness.file, '');
    return witness;
  }

  /** For servers that are to have the skills. */
  get settings(): Settings {
    const skills = new URL('witness-skills.js', import.meta.url).href;
    return { NODE_OPTIONS: `--import=${skills}`, WITNESS_FILE: this.file };
  }

  /** How often each call of the skill was begun, by call id. */
  async runs(skill: WitnessedSkill): Promise<Map<string, number>> {
    const lines = (await readFile(this.file, 'utf8')).split('\n');
    const ids = lines.flatMap((line) => (line.startsWith(`${skill} `) ? [line.slice(skill.length + 1)] : []));
    return new Map([...Map.groupBy(ids, (id) => id)].map(([id, all]) => [id, all.length]));
  }

  /** Resolves once the call has been begun. */
  async began(skill: WitnessedSkill, callId: string): Promise<void> {
    const watcher = watch(this.file);
    try {
      for (;;) {
        const change = once(watcher, 'change');
        if ((await this.runs(skill)).has(callId)) return;
        await change;
      }
    } finally {
      watcher.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  private get file(): string {
    return join(this.folder, 'runs');
  }
}
