import { finish, ScriptedChatModel, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';

import { noUsage } from '../../conversations/turns/turn-event.js';
import type { ThreadPort } from './agent-ports.js';
import { reactive } from './reactive.js';
import {
  play,
  roughTokens,
  scriptedPorts,
  ScriptedSkills,
  scriptedTurn,
  succeeded,
} from './scripted-turn.double.js';

/** So many that they have to be counted. */
const MANY = Array.from({ length: 100 }, (_, index) => `skill_${index}`);

/** A thread that tells whether work has it in turn. */
class WatchedThread implements ThreadPort {
  isInTurn = false;

  inTurn<Result>(_characters: number, work: () => Result): Promise<Result> {
    this.isInTurn = true;
    const result = work();
    this.isInTurn = false;
    return Promise.resolve(result);
  }
}

it('counts the tokens of tools where it has the thread in turn, and nowhere else', async () => {
  const thread = new WatchedThread();
  const counted = new Set<boolean>();
  const count = (words: string): number => {
    if (words.includes('Does skill_99.')) counted.add(thread.isInTurn);
    return roughTokens.count(words);
  };
  const skills = new ScriptedSkills(
    Object.fromEntries(MANY.map((key) => [key, () => Promise.resolve(succeeded('1'))])),
  );
  const model = new ScriptedChatModel([
    [toolCall('skill_1'), finish()],
    [text('It is 42.'), finish()],
  ]);
  const ports = scriptedPorts({ model, skills, thread, tokens: { ...roughTokens, count } });
  await play(reactive(ports, scriptedTurn(3), { ...noUsage }, new AbortController().signal));
  expect([...counted]).toEqual([true]);
});

it('checks the arguments of calls in turn, those of short ones together', async () => {
  const thread = new WatchedThread();
  const inTurn = vi.spyOn(thread, 'inTurn');
  const checked: boolean[] = [];
  const skills = new ScriptedSkills({ look: () => Promise.resolve(succeeded('1')) });
  skills.guarded.add('look');
  skills.faults.set('look', () => {
    checked.push(thread.isInTurn);
    return null;
  });
  const model = new ScriptedChatModel([
    [...[1, 9_000, 9_000].map((length) => toolCall('look', { at: 'x'.repeat(length) })), finish()],
  ]);
  const ports = scriptedPorts({ model, skills, thread });
  await play(reactive(ports, scriptedTurn(3), { ...noUsage }, new AbortController().signal));
  expect(checked).toEqual([true, true, true]);
  expect(inTurn.mock.calls.slice(-2).map(([characters]) => characters)).toEqual([10 + 9_009, 9_009]);
});
