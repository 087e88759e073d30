import { setTimeout as sleep } from 'node:timers/promises';

import type { JsonObject } from '../../src/common/json.js';
import { newId } from '../../src/common/ids.js';
import { finish, text } from '../../src/llm/scripted-chat-model.js';
import type { ProviderReply, ProviderStep } from '../../src/llm/scripted-provider.js';
import { readRequest } from './provider-request.js';

/** A question that nobody has asked before. */
export const newQuestion = (): string => `Question ${newId()}`;

/** What the model is asked, and which of the turn's steps this is: 0, 1, 2 … */
export const askedIn = (body: JsonObject): { question: string; step: number } => {
  const { messages } = readRequest(body);
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const step = messages.slice(asked).filter(({ role }) => role === 'assistant').length;
  // One that got no answer stands in the same message as the one after it.
  const [question = ''] = /Question [\w-]+$/.exec(messages[asked]?.content ?? '') ?? [];
  return { question, step };
};

/** What a scripted provider says to each question, whoever of several servers asks it. */
export class ScriptBook {
  private readonly scripts = new Map<string, readonly ProviderReply[]>();

  /** A question that is answered by `replies`, one a step. */
  add(...replies: readonly ProviderReply[]): string {
    const question = newQuestion();
    this.scripts.set(question, replies);
    return question;
  }

  /** For the provider: a step that is asked for again is answered again. */
  readonly replyTo = (body: JsonObject): ProviderReply => {
    const { question, step } = askedIn(body);
    return this.scripts.get(question)?.[step] ?? [text('Nobody wrote this.'), finish()];
  };
}

/** A place in a reply where the model waits until the test has seen that it got there. */
export const barrier = (): { step: ProviderStep; reached: Promise<void>; open: () => void } => {
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
};

/** Time that passes in a reply, from when the model gets there. */
export const pause = (ms: number): ProviderStep => ({
  type: 'gate',
  get until() {
    return sleep(ms);
  },
});
