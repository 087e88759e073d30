import type { JsonObject, JsonValue } from '../../common/json.js';
import { OutboundError, type OutboundHttp, type OutboundResponse } from '../../outbound/outbound-http.js';
import { type Skill, type SkillContext, SkillError } from '../skill.js';
import type { SkillDefinition } from '../definitions/skill-definition.entity.js';
import { resultOf } from './answer/http-answer.js';
import { callOf, type HttpCall } from './http-call.js';
import { type HttpSettings, readHttpSettings } from './http-settings.js';
import { requireResultPath } from './answer/result-path.js';
import { echoOf, type SecretEcho } from './answer/secret-echo.js';
import { mayHaveArrived, NOBODY_KNOWS, requestMsOf } from './unknown-outcome.js';
import { reasonOf } from './way-out.js';

const MAX_BYTES = 2_000_000;

/** Whoever wants to see how a call went, besides what it gives. */
export interface HttpCallWatcher {
  sent(call: HttpCall): void;
  answered(response: OutboundResponse): void;
}

/** What of a definition a call depends on. */
export type HttpDefinition = Pick<
  SkillDefinition,
  'name' | 'description' | 'parameters' | 'idempotent' | 'timeoutMs' | 'settings'
>;

/** A company's own endpoint as a skill. Throws BadPath, or when the settings are not those of one. */
export const makeHttpSkill = (
  key: string,
  definition: HttpDefinition,
  secrets: Readonly<Record<string, string>>,
  outbound: OutboundHttp,
): HttpSkill => new HttpSkill(key, definition, secrets, outbound);

export class HttpSkill implements Skill {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly idempotent: boolean;
  readonly timeoutMs: number;
  /** Takes the skill's secrets out of a text or value. */
  readonly echo: SecretEcho;
  private readonly settings: HttpSettings;

  constructor(
    readonly key: string,
    { name, description, parameters, idempotent, timeoutMs, settings }: HttpDefinition,
    private readonly secrets: Readonly<Record<string, string>>,
    private readonly outbound: OutboundHttp,
  ) {
    this.name = name;
    this.description = description;
    this.parameters = parameters ?? { type: 'object' };
    this.idempotent = idempotent;
    this.timeoutMs = timeoutMs;
    this.settings = readHttpSettings(settings);
    // Paths that took for ever were stored once.
    if (this.settings.resultPath !== null) requireResultPath(this.settings.resultPath);
    this.echo = echoOf(Object.values(secrets));
  }

  async run(
    input: JsonObject,
    { callId, signal }: Pick<SkillContext, 'callId' | 'signal'>,
    watcher?: HttpCallWatcher,
  ): Promise<JsonValue> {
    const call = callOf(this.settings, this.secrets, input, callId);
    watcher?.sent(call);
    const response = await this.send(call, signal);
    watcher?.answered(response);
    return resultOf(response, { ...this.settings, idempotent: this.idempotent }, this.echo);
  }

  private async send({ body, ...call }: HttpCall, signal: AbortSignal): Promise<OutboundResponse> {
    try {
      return await this.outbound.request({
        ...call,
        ...(body !== null && { body }),
        timeoutMs: requestMsOf(this.timeoutMs),
        maxBytes: MAX_BYTES,
        // What changes something is sent to the address that it was meant for, and nowhere else.
        ...(call.method !== 'GET' && { maxRedirects: 0 }),
        signal,
      });
    } catch (error) {
      throw error instanceof OutboundError ? failureOf(error, call.method, this.idempotent) : error;
    }
  }
}

const failureOf = (error: OutboundError, method: string, idempotent: boolean): SkillError => {
  const words =
    error.code === 'TOO_MANY_REDIRECTS' && method !== 'GET'
      ? 'The service wants the call at another address, and only GET follows: an admin has to change the skill’s.'
      : reasonOf(error);
  const doubt = mayHaveArrived(error) && !idempotent ? ` ${NOBODY_KNOWS}` : '';
  return new SkillError(`The service could not be called: ${words}${doubt}`, { cause: error });
};
