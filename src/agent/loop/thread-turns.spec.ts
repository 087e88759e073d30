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

it('counts the tokens of tools where it has the thread in turn, and nowhere else', async () => {
  let hasThread = false;
  const thread: ThreadPort = {
    inTurn: (_characters, work) => {
      hasThread = true;
      const result = work();
      hasThread = false;
      return Promise.resolve(result);
    },
  };
  const counted = new Set<boolean>();
  const count = (words: string): number => {
    if (words.includes('Does skill_99.')) counted.add(hasThread);
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
