import { setTimeout as sleep } from 'node:timers/promises';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply, ProviderStep } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import { readRequest, type upkeepTools } from './provider-request.js';

/** A question that nobody has asked before. */
export function newQuestion(): string {
  return `Question ${newId()}`;
}

/** What the model is asked, and which of the turn's steps this is: 0, 1, 2 … To go on in the background is none. */
export function askedIn(body: JsonObject): { question: string; step: number } {
  const { messages } = readRequest(body);
  const questionsIn = (text: string): string[] => text.match(/Question [\w-]+/g) ?? [];
  // A note that holds for one call alone may stand behind the question, or after the steps.
  const asked = messages.findLastIndex(
    ({ role, content }) => role === 'user' && questionsIn(content).length > 0,
  );
  const step = messages
    .slice(asked)
    .filter(({ role, tool_calls: calls }) => role === 'assistant' && !calls?.every(isMove)).length;
  // One that got no answer stands in the same message as the one after it.
  return { question: questionsIn(messages[asked]?.content ?? '').at(-1) ?? '', step };
}

function isMove(call: { function: { name: string } }): boolean {
  return call.function.name === 'continue_in_background';
}

/** What is said in a step; a step of more than one model call may depend on which it is. */
export type BookReply = ProviderReply | ((body: JsonObject) => ProviderReply);

/** What a model says that is asked to keep a conversation, which no script foresees. */
const upkeep: Readonly<Record<string, JsonObject>> = {
  keep_summary: { points: ['Questions were asked.', 'They were answered.', 'Nothing is open.'] },
  name_conversation: { title: 'Questions' },
  note_memories: { memories: [] },
} satisfies Record<(typeof upkeepTools)[number], JsonObject>;

/** The same, to what is asked; null: it is something else. */
export function upkeepReply(body: JsonObject): ProviderStep[] | null {
  const task = readRequest(body).tool_choice?.function?.name ?? '';
  return upkeep[task] ? [toolCall(task, upkeep[task]), finish()] : null;
}

/** What a scripted provider says to each question, whoever of several servers asks it. */
export class ScriptBook {
  private readonly scripts = new Map<string, readonly BookReply[]>();

  /** A question that is answered by `replies`, one a step. */
  add(...replies: readonly BookReply[]): string {
    const question = newQuestion();
    this.scripts.set(question, replies);
    return question;
  }

  /** For the provider: a step that is asked for again is answered again. */
  readonly replyTo = (body: JsonObject): ProviderReply => {
    const kept = upkeepReply(body);
    if (kept) return kept;
    const { question, step } = askedIn(body);
    const reply = this.scripts.get(question)?.[step] ?? [text('Nobody wrote this.'), finish()];
    return typeof reply === 'function' ? reply(body) : reply;
  };
}

/** A place in a reply where the model waits until the test has seen that it got there. */
export function barrier(): { step: ProviderStep; reached: Promise<void>; open: () => void } {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const step: ProviderStep = {
    type: 'gate',
    get until() {
      reached.resolve();
      return opened.promise;
    },
  };
  return { step, reached: reached.promise, open: opened.resolve };
}

/** Time that passes in a reply, from when the model gets there. */
export function pause(ms: number): ProviderStep {
  return {
    type: 'gate',
    get until() {
      return sleep(ms);
    },
  };
}
