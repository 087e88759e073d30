import { Injectable } from '@nestjs/common';
import { shortened } from '@palabre/text';
import { isJsonObject, type JsonValue } from '@palabre/json';
import { rejectOnAbort } from '@palabre/async';

import { MAX_PREVIEW_CHARACTERS } from '../conversations/turns/turn-event.js';
import { fill, wordingIn } from '../common/wording/wording.js';
import { retryUntilConnected } from '../platform/database/retry-until-connected.js';
import { readArguments } from './skill-arguments.js';
import {
  ArgumentsError,
  InputNeeded,
  ServiceError,
  type Skill,
  SkillAnswer,
  type SkillContext,
  SkillError,
} from './skill.js';

/** The result of a skill call. `result` is JSON for the model, `preview` its beginning for people. */
export interface SkillResult {
  status: 'SUCCEEDED' | 'FAILED';
  result: string;
  preview: string;
  /** The complete result, if the model gets less. */
  details?: JsonValue;
  /** An internal error of a skill, for the log only. */
  cause?: unknown;
}

/** Only a safety net: the agent's loop cuts long results between elements, which this cannot. */
const MAX_RESULT_CHARACTERS = 2_500_000;
const MAX_BEGINNING_CHARACTERS = 400_000;
/** As JSON. */
const MAX_DETAILS_BYTES = 1024 * 1024;

type Answer = JsonValue | SkillAnswer;

/** Runs the calls of a model. */
@Injectable()
export class SkillRunner {
  /**
   * Runs one call. Errors of the model and exceptions of the skill become a FAILED result that the model can act on.
   * Rejects only when the context's signal is aborted, and with InputNeeded. `skill`: null if no skill with this key
   * may be called.
   */
  async run(
    skill: Skill | null,
    key: string,
    argumentsText: string,
    context: SkillContext,
  ): Promise<SkillResult> {
    try {
      if (!skill) throw new SkillError(fill(wordingIn(context.language).skillRefusals.noSuchSkill, { key }));
      const input = readArguments(argumentsText, skill.parameters);
      // Waits for an unavailable database if repeating the work is harmless.
      const run = (timed: SkillContext): Promise<Answer> =>
        skill.idempotent
          ? retryUntilConnected(() => skill.run(input, timed), timed.signal)
          : skill.run(input, timed);
      return succeeded(await withinTime(skill, context, run));
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof InputNeeded) throw error;
      if (error instanceof SkillError) return failed(error.message, forPeople(error, context.language));
      return { ...failed(wordingIn(context.language).skillRefusals.failed), cause: error };
    }
  }
}

/** Stops waiting for a skill that ignores its signal, so that it cannot block the turn. */
async function withinTime(
  skill: Skill,
  context: SkillContext,
  run: (context: SkillContext) => Promise<Answer>,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(skill.timeoutMs);
  const signal = AbortSignal.any([context.signal, timeout]);
  try {
    return await rejectOnAbort(() => run({ ...context, signal }), signal);
  } catch (error) {
    if (error !== timeout.reason || context.signal.aborted) throw error;
    const { late } = wordingIn(context.language).skillRefusals;
    throw new SkillError(fill(late, { seconds: skill.timeoutMs / 1000 }));
  }
}

function succeeded(answer: Answer): SkillResult {
  if (!(answer instanceof SkillAnswer)) return resultOf(answer);
  const { result, details } = answer;
  const bytes = Buffer.byteLength(JSON.stringify(details));
  if (bytes <= MAX_DETAILS_BYTES) return { ...resultOf(result), details };
  const cause = new Error(`The details of the result were left out: ${bytes} bytes are too many.`);
  return { ...resultOf(result), cause };
}

function resultOf(value: JsonValue): SkillResult {
  const json = JSON.stringify(value);
  const result =
    json.length <= MAX_RESULT_CHARACTERS
      ? json
      : JSON.stringify({
          note: `The result has ${json.length} characters, which are too many: only its beginning is shown.`,
          beginning: json.slice(0, MAX_BEGINNING_CHARACTERS),
        });
  return { status: 'SUCCEEDED', result, preview: previewOf(value, json) };
}

function failed(message: string, preview = message): SkillResult {
  return {
    status: 'FAILED',
    result: JSON.stringify({ error: message }),
    preview: shorten(preview),
  };
}

/** Errors that models and admins can act on are in English. */
function forPeople(error: SkillError, language: string): string {
  const { badArguments, service } = wordingIn(language).skillRefusals;
  if (error instanceof ArgumentsError) return badArguments;
  return error instanceof ServiceError ? service[error.fault] : error.message;
}

/** A skill's own summary says more than the beginning of its JSON. */
function previewOf(value: JsonValue, json: string): string {
  const summary = isJsonObject(value) ? value.summary : undefined;
  return shorten(typeof summary === 'string' ? summary : json);
}

// Format characters can reverse or hide text. Joiners stay, because scripts and emoji need them.
const invisible = /(?![\u200C\u200D])\p{Cf}/gu;

function shorten(text: string): string {
  const beginning = text.slice(0, 10 * MAX_PREVIEW_CHARACTERS).toWellFormed();
  return shortened(beginning.replace(invisible, ''), MAX_PREVIEW_CHARACTERS);
}
