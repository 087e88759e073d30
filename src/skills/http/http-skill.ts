import { fairThread } from '@palabre/async';
import { OutboundError, type OutboundHttp, type OutboundResponse } from '@palabre/outbound';
import { type HttpMethod, readTemplate } from '@palabre/openapi';
import type { JsonObject, JsonValue } from '@palabre/json';

import {
  ArgumentsError,
  changesElsewhere,
  readsForeign,
  ServiceError,
  type Skill,
  type SkillContext,
  type SkillEffect,
  SkillError,
} from '../skill.js';
import type { SkillDefinition } from '../skill.repository.js';
import { resultOf, excerptOf, mediaTypeOf, type RunStep } from './http-answer.js';
import { type HttpSettings, readHttpSettings } from './http-settings.js';
import type { HttpSkillTrial } from './http-skill.model.js';
import { requireResultPath } from './result-path.js';
import { echoOf, type SecretEcho } from './secret-echo.js';
import { mayHaveArrived, OUTCOME_UNKNOWN, readingWaitMsOf, requestMsOf } from './unknown-outcome.js';
import { newId } from '../../common/ids.js';
import { faultOf } from '../skill-arguments.js';

const MAX_BYTES = 2_000_000;

interface HttpCallWatcher {
  sent(call: HttpCall): void;
  answered(response: OutboundResponse): void;
}

/** The part of a definition that a call depends on. */
type HttpDefinition = Pick<
  SkillDefinition,
  'name' | 'description' | 'parameters' | 'idempotent' | 'timeoutMs' | 'settings'
>;

/** A company's own endpoint as a skill. The constructor throws BadPath, and for invalid settings. */
export class HttpSkill implements Skill {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly idempotent: boolean;
  readonly timeoutMs: number;
  readonly effect: SkillEffect;
  /** Removes the skill's secrets from a text or value. */
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
    this.effect = this.settings.method === 'GET' ? readsForeign : changesElsewhere;
    // Earlier versions stored paths that can take very long.
    if (this.settings.resultPath !== null) requireResultPath(this.settings.resultPath);
    this.echo = echoOf(Object.values(secrets));
  }

  async run(
    input: JsonObject,
    { callId, companyId, signal }: Pick<SkillContext, 'callId' | 'companyId' | 'signal'>,
    watcher?: HttpCallWatcher,
  ): Promise<JsonValue> {
    const startedAt = performance.now();
    const call = callOf(this.settings, this.secrets, input, callId);
    watcher?.sent(call);
    const response = await this.send(call, companyId, signal);
    const runStep: RunStep = (step) => {
      const maxWaitMs = readingWaitMsOf(this.timeoutMs, performance.now() - startedAt);
      return fairThread.inTurn(companyId, response.body.length, step, { signal, maxWaitMs });
    };
    await runStep(() => watcher?.answered(response));
    return resultOf(response, { ...this.settings, idempotent: this.idempotent }, this.echo, runStep);
  }

  private async send(
    { body, ...call }: HttpCall,
    requester: string,
    signal: AbortSignal,
  ): Promise<OutboundResponse> {
    try {
      return await this.outbound.request({
        ...call,
        ...(body !== null && { body }),
        requester,
        timeoutMs: requestMsOf(this.timeoutMs),
        maxBytes: MAX_BYTES,
        // A request with an effect must not follow a redirect to another address.
        ...(call.method !== 'GET' && { maxRedirects: 0 }),
        signal,
      });
    } catch (error) {
      throw error instanceof OutboundError ? failureOf(error, call.method, this.idempotent) : error;
    }
  }
}

function failureOf(error: OutboundError, method: string, idempotent: boolean): ServiceError {
  const words =
    error.code === 'TOO_MANY_REDIRECTS' && method !== 'GET'
      ? 'The service redirects to another address, which only a GET follows: an admin has to change the skill’s address.'
      : reasonOf(error);
  const isInDoubt = mayHaveArrived(error) && !idempotent;
  const doubt = isInDoubt ? ` ${OUTCOME_UNKNOWN}` : '';
  return new ServiceError(
    `The service could not be called: ${words}${doubt}`,
    isInDoubt ? 'IN_DOUBT' : 'FAILED',
    { cause: error },
  );
}

const MAX_EXCERPT_CHARACTERS = 4_000;

/** Calls the skill like an assistant. Never rejects for errors of the arguments or the service. */
export async function tryOut(
  skill: HttpSkill,
  companyId: string,
  input: JsonObject,
): Promise<HttpSkillTrial> {
  const startedAt = performance.now();
  const trial: HttpSkillTrial = { durationMs: 0, request: null, response: null, result: null, error: null };
  try {
    const fault = faultOf(input, skill.parameters);
    if (fault !== null) throw new ArgumentsError(fault);
    // A trial cannot be cancelled, and the skill has its own time limit.
    const place = { callId: newId(), companyId, signal: new AbortController().signal };
    trial.result = await skill.run(input, place, {
      sent: (call) => (trial.request = shown(call, skill)),
      answered: (response) => (trial.response = inShort(response, skill)),
    });
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    trial.error = error.message;
  }
  return { ...trial, durationMs: Math.round(performance.now() - startedAt) };
}

function shown(call: HttpCall, { echo }: HttpSkill): HttpSkillTrial['request'] {
  return {
    method: call.method,
    url: echo.text(call.url),
    headers: Object.entries(call.headers).map(([name, value]) => ({ name, value: echo.text(value) })),
    body: call.body === null ? null : echo.text(call.body).slice(0, MAX_EXCERPT_CHARACTERS).toWellFormed(),
  };
}

function inShort(response: OutboundResponse, { echo }: HttpSkill): HttpSkillTrial['response'] {
  return {
    status: response.status,
    mediaType: mediaTypeOf(response),
    bytes: response.body.length,
    excerpt: excerptOf(response, MAX_EXCERPT_CHARACTERS, echo),
  };
}

const MAX_HEADER_CHARACTERS = 2_000;

/** A request with all its secrets. */
interface HttpCall {
  method: HttpMethod;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

/** The parts of a request that come from arguments. */
interface Parts {
  query: [name: string, value: JsonValue][];
  headers: Record<string, string>;
  fields: JsonObject;
  whole: JsonValue | undefined;
}

/** The request for these arguments. Throws ArgumentsError for arguments that cannot be sent. */
function callOf(
  settings: HttpSettings,
  secrets: Readonly<Record<string, string>>,
  input: JsonObject,
  callId: string,
): HttpCall {
  const { method, body } = settings;
  const template = readTemplate(settings.url);
  const url = template.expand(input);
  const parts = partsOf(settings, new Set(template.variables), input);
  for (const [name, value] of parts.query) append(url.searchParams, name, value);
  for (const name of settings.secretQuery) url.searchParams.set(name, secretOf(secrets, name));
  const sent = body === null ? null : bodyOf(body, parts);
  return {
    method,
    url: url.href,
    headers: {
      accept: 'application/json, text/*;q=0.9, application/xml;q=0.5',
      ...(sent !== null && { 'content-type': contentTypes[body ?? 'JSON'] }),
      // Services that know the header carry out a repeated call once.
      ...(method !== 'GET' && { 'idempotency-key': callId }),
      ...lowercased(settings.headers),
      ...parts.headers,
      ...Object.fromEntries(
        settings.secretHeaders.map((name) => [name.toLowerCase(), secretOf(secrets, name)]),
      ),
    },
    body: sent,
  };
}

const contentTypes = { JSON: 'application/json', FORM: 'application/x-www-form-urlencoded' } as const;

function partsOf(settings: HttpSettings, inUrl: ReadonlySet<string>, input: JsonObject): Parts {
  const parts: Parts = { query: [], headers: {}, fields: {}, whole: undefined };
  const placements = new Map(settings.placements.map((placement) => [placement.argument, placement]));
  const isBodyFree = settings.body !== null && !settings.placements.some((one) => one.in === 'WHOLE_BODY');
  for (const [argument, value] of Object.entries(input)) {
    if (inUrl.has(argument)) continue;
    const place = placements.get(argument)?.in ?? (isBodyFree ? 'BODY' : 'QUERY');
    const name = placements.get(argument)?.name ?? argument;
    if (place === 'QUERY') parts.query.push([name, value]);
    else if (place === 'HEADER') parts.headers[name.toLowerCase()] = headerOf(argument, value);
    else if (place === 'BODY') parts.fields[name] = value;
    else parts.whole = value;
  }
  return parts;
}

/** A list repeats the name. Other values than plain ones are sent as JSON. */
function append(search: URLSearchParams, name: string, value: JsonValue): void {
  if (value === null) return;
  for (const one of Array.isArray(value) ? value : [value]) search.append(name, textOf(one));
}

function textOf(value: JsonValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function headerOf(argument: string, value: JsonValue): string {
  const text = Array.isArray(value) ? value.map(textOf).join(',') : textOf(value);
  if (text.length > MAX_HEADER_CHARACTERS || !/^[\x20-\x7e]*$/.test(text)) {
    throw new ArgumentsError(
      `The argument ${argument} is sent as a header: it must be at most ${MAX_HEADER_CHARACTERS} characters of ASCII.`,
    );
  }
  return text.trim();
}

function bodyOf(body: 'JSON' | 'FORM', { fields, whole }: Parts): string | null {
  if (whole !== undefined) return JSON.stringify(whole);
  if (body === 'JSON') return JSON.stringify(fields);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) append(form, name, value);
  return form.toString();
}

function lowercased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function secretOf(secrets: Readonly<Record<string, string>>, name: string): string {
  const secret = secrets[name];
  if (secret === undefined) throw new Error(`The secret of ${name} is missing.`);
  return secret;
}

/** Why there was no answer. Names OUTBOUND_ALLOW where only the operator can help. */
export function reasonOf({ code, message }: OutboundError): string {
  return code === 'BLOCKED'
    ? `${message} If it is meant to be reached, the operator of this server has to name it in OUTBOUND_ALLOW.`
    : message;
}
