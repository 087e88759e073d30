import type { JsonObject, JsonValue } from '../../common/json.js';
import { newId } from '../../common/ids.js';
import type { OutboundResponse } from '../../outbound/outbound-http.js';
import { faultOf } from '../use/skill-arguments.js';
import { SkillError } from '../skill.js';
import { excerptOf, mediaTypeOf } from './answer/http-answer.js';
import type { HttpCall } from './http-call.js';
import type { HttpMethod } from './http-settings.js';
import type { HttpSkill } from './http-skill.js';

const MAX_EXCERPT_CHARACTERS = 4_000;

export interface SentHeader {
  name: string;
  value: string;
}

/** How one call went, for an admin, without the skill's secrets. */
export interface HttpTrial {
  durationMs: number;
  request: { method: HttpMethod; url: string; headers: SentHeader[]; body: string | null } | null;
  response: { status: number; mediaType: string; bytes: number; excerpt: string } | null;
  result: JsonValue;
  error: string | null;
}

/** Calls the skill as an assistant would. Never rejects for what the arguments or the service got wrong. */
export const tryOut = async (skill: HttpSkill, input: JsonObject): Promise<HttpTrial> => {
  const startedAt = performance.now();
  const trial: HttpTrial = { durationMs: 0, request: null, response: null, result: null, error: null };
  try {
    const fault = faultOf(input, skill.parameters);
    if (fault !== null) throw new SkillError(fault);
    const place = { callId: newId(), signal: AbortSignal.timeout(skill.timeoutMs) };
    trial.result = await skill.run(input, place, {
      sent: (call) => (trial.request = shown(call, skill)),
      answered: (response) => (trial.response = inShort(response, skill)),
    });
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    trial.error = error.message;
  }
  return { ...trial, durationMs: Math.round(performance.now() - startedAt) };
};

const shown = (call: HttpCall, { echo }: HttpSkill): HttpTrial['request'] => ({
  method: call.method,
  url: echo.text(call.url),
  headers: Object.entries(call.headers).map(([name, value]) => ({ name, value: echo.text(value) })),
  body: call.body === null ? null : echo.text(call.body).slice(0, MAX_EXCERPT_CHARACTERS).toWellFormed(),
});

const inShort = (response: OutboundResponse, { echo }: HttpSkill): HttpTrial['response'] => ({
  status: response.status,
  mediaType: mediaTypeOf(response),
  bytes: response.body.length,
  excerpt: excerptOf(response, MAX_EXCERPT_CHARACTERS, echo),
});
