import { finish, hang, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import {
  disconnect,
  type ProviderReply,
  type ProviderStep,
  status,
} from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { askedIn, pause, upkeepReply } from '../harness/script-book.js';
import { type Mood, type TurnPlan, wordsOf } from './plan.js';

/** Speaks by the plan of the question that it is asked, a word at a time, and fails when the plan says so. */
export class MoodyModel {
  readonly moods = new Map<Mood, number>();
  private readonly plans = new Map<string, { plan: TurnPlan; calls: number }>();

  add(question: string, plan: TurnPlan): void {
    this.plans.set(question, { plan, calls: 0 });
  }

  readonly replyTo = (body: JsonObject): ProviderReply => {
    const upkeep = upkeepReply(body);
    if (upkeep) return upkeep;
    const { question, step } = askedIn(body);
    const known = this.plans.get(question);
    if (!known) throw new Error('Nobody planned this question.');
    const { plan } = known;
    const mood = plan.moods[known.calls] ?? 'well';
    known.calls += 1;
    this.moods.set(mood, (this.moods.get(mood) ?? 0) + 1);
    return inMood(mood, speech(plan, step));
  };
}

function speech(plan: TurnPlan, step: number): ProviderStep[] {
  const said = wordsOf(plan, step).flatMap((word) => [text(word), pause(plan.wordMs)]);
  const calls = plan.steps[step] ?? [];
  return [...said, ...calls.map(({ skill, ms }) => toolCall(skill, { ms })), finish()];
}

function inMood(mood: Mood, spoken: ProviderStep[]): ProviderStep[] {
  const half = spoken.slice(0, spoken.length / 2);
  switch (mood) {
    case 'well':
      return spoken;
    case 'too-many':
      return [status(429)];
    case 'failing':
      return [status(500)];
    case 'cut':
      return [...half, disconnect()];
    case 'silent':
      return [...half, hang()];
  }
}
