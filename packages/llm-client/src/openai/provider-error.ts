import type { IncomingHttpHeaders } from 'node:http';

import { z } from 'zod';

import { ModelError, type ModelFault } from '../chat-model.js';

/** The provider answered with an error. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';

  constructor(
    /** The HTTP status. Null: the answer had begun successfully. */
    readonly status: number | null,
    /** The error, as parsed JSON or text. */
    readonly body: unknown,
    readonly headers: IncomingHttpHeaders = {},
  ) {
    super(`The provider answered with ${status === null ? 'an error' : `status ${status}`}.`);
  }
}

/** Names of settings in error messages, as people know them. */
export interface ProviderSettings {
  baseUrl: string;
  key: string;
  model: string;
  /** The message for a prompt or text that is too long. */
  tooLong: string;
}

/** Used where the names of settings are unknown. */
export const unnamedSettings: ProviderSettings = {
  baseUrl: 'the base URL',
  key: 'the key',
  model: 'its name',
  tooLong: 'The conversation is longer than the model can take.',
};

/** The parts of a provider's error that identify its kind. */
interface Words {
  status: number | null;
  /** Code, type, parameter and message in one line, for matching. */
  all: string;
}

const maxDetailLength = 2000;
const contextWords =
  /context[_ -]?(length|window|size|limit)|maximum (context|model|prompt|input) length|prompt is too long|input (is )?too long|too many (input |prompt )?tokens|reduce the length|request too large|exceeds? (the )?(model'?s? )?(maximum|limit|available)[^.]{0,40}(context|input tokens|prompt)|input token count|range of input length/i;
/** In a 429, these mean that the request alone exceeds the limit. Other 429s count the last minute's tokens. */
const tooLargeWords = /request too large|context_length_exceeded/i;
const reduceWords = /reduce (?:the |your )?(?:(?:prompt|message|input|context) )?(?:length|size)\b/i;
const throttledWords = /throttl|please wait/i;
/** How providers state a model's limit, with the number. The first match is used. */
const windowSaid = [
  // Anthropic: `205000 tokens > 200000 maximum`, `190000 + 20000 > 200000`
  /> (\d[\d,]*)/,
  // Mistral: `model with 32768 maximum context length`
  /(\d[\d,]*) maximum\b/i,
  // OpenAI, vLLM, Gemini, xAI, Ollama: `maximum context length is 8192`, `number of tokens allowed (1048576)`
  /\bmaximum\b[^\d.]{0,60}?(\d[\d,]*)/i,
  // llama.cpp: `available context size (4096 tokens)`; LM Studio: `context length of only 4096 tokens`
  /\bcontext (?:size|length|window|limit)\b[^\d.]{0,30}?(\d[\d,]*)/i,
  // OpenAI, Groq: `limit of 272000 tokens`, `Limit 6000, Requested 9000`
  /\blimit:? (?:of )?(\d[\d,]*)/i,
  // Cohere: `cannot exceed 4081`; DashScope: `should be [1, 30720]`
  /(?:\bexceed |\[\d+, )(\d[\d,]*)/i,
];
/** Smaller numbers are not context windows. */
const fewestWindowTokens = 512;
const filterWords =
  /content[_ -]?(filter|policy|management)|responsible ?ai|moderation|flagged|data_?inspection_?failed|safety|\binvalid_prompt\b|\w_policy(_violation)?\b/i;
const creditWords = /insufficient[_ ](quota|balance|credit|funds)|billing|payment required/i;
/** These words may also belong to a rate limit, which advertises plans. */
const noCreditWords =
  /insufficient_quota|insufficient[_ ](balance|credit|funds)|exceeded_current_quota_error|payment required/i;
const rateWords = /rate[_ -]?limit|too many requests|resource[_ ]exhausted|throttl/i;
export const modelWords =
  /model[_ ]not[_ ]found|unknown[_ ]model|not a valid model|invalid model|model\b[^.]{0,80}(does not exist|not found|not exist)/i;
/** Random faults: the same request may succeed. */
const drawWords = /tool_use_failed|overloaded|temporarily|try again|throttl|please wait/i;

type MakeError = (
  code: ModelError['code'],
  message: string,
  retryable: boolean,
  fault?: ModelFault,
) => ModelError;

/** The ModelError of a provider's answer: retryable or not, with a message that an operator can act on. */
export function providerError(
  refusal: ProviderRefusal,
  model: string,
  settings: ProviderSettings,
): ModelError {
  const { status: answered, body } = refusal;
  const words = wordsOf(body);
  const status = answered ?? words.status ?? (rateWords.test(words.all) ? 429 : null);
  const detail = detailOf(answered, body);
  const make: MakeError = (code, message, retryable, fault) =>
    new ModelError(code, message, retryable, detail, pauseMsOf(refusal, retryable), {
      fault,
      status: answered ?? undefined,
      windowTokens: code === 'CONTEXT_TOO_LARGE' ? windowIn(words.all) : undefined,
    });

  const isOurs = status === null || (status >= 400 && status < 500);
  if (isOurs && isTooLong(status, words.all)) return make('CONTEXT_TOO_LARGE', settings.tooLong, false);
  if (isOurs && status !== 401 && status !== 429 && filterWords.test(words.all))
    return make('MODEL_REFUSED', "The provider's content filter refused the request.", false);
  if (isOutOfCredit(status, words.all)) {
    return make(
      'MODEL_UNAVAILABLE',
      'The account at the model provider has no credit left.',
      false,
      'CREDIT',
    );
  }
  if (answered === null && typeof body === 'string' && isHtml(body)) {
    const message = `The provider answered with a web page instead of a completion: check ${settings.baseUrl}.`;
    return make('MODEL_UNAVAILABLE', message, true, 'ADDRESS');
  }
  return byStatus(status, words.all, { model, settings }, make);
}

function isTooLong(status: number | null, words: string): boolean {
  if (status === 413) return true;
  // Bedrock has `Too many tokens, please wait before trying again.`
  if (throttledWords.test(words)) return false;
  if (status !== 429) return contextWords.test(words);
  return tooLargeWords.test(words) || (reduceWords.test(words) && !/try again/i.test(words));
}

function isOutOfCredit(status: number | null, words: string): boolean {
  if (status === 402) return true;
  if (status !== null && status >= 500) return false;
  return (status === null || status === 429 ? noCreditWords : creditWords).test(words);
}

/** Some providers state it only in the message. A header of 0 is ignored. */
function pauseMsOf({ headers, body }: ProviderRefusal, isTriedAgain: boolean): number | undefined {
  return retryAfterMsOf(headers) || (isTriedAgain ? saidPauseMs(inText(body)) : undefined);
}

function windowIn(words: string): number | undefined {
  for (const pattern of windowSaid) {
    const tokens = Number(pattern.exec(words)?.[1]?.replaceAll(',', ''));
    if (tokens >= fewestWindowTokens) return tokens;
  }
  return undefined;
}

function byStatus(
  status: number | null,
  words: string,
  { model, settings }: { model: string; settings: ProviderSettings },
  make: MakeError,
): ModelError {
  const unavailable = (message: string, retryable: boolean, fault?: ModelFault): ModelError =>
    make('MODEL_UNAVAILABLE', message, retryable, fault);
  if (status === 401 || status === 403)
    return unavailable(`The provider refused the key: check ${settings.key}.`, false, 'KEY');
  if (status === 404 || modelWords.test(words)) {
    return unavailable(
      `The model ${model} is unknown to the provider: check ${settings.model} and ${settings.baseUrl}.`,
      false,
      'MODEL',
    );
  }
  if (status === 429) return unavailable('The provider has too many requests.', true, 'BUSY');
  if (status === null) return unavailable('The provider broke off with an error.', true);
  if (status === 408 || status === 409 || status >= 500)
    return unavailable(`The provider has a fault of its own (${status}).`, true);
  if (status >= 300 && status < 400) {
    return unavailable(
      `The provider answers at another address: check ${settings.baseUrl}.`,
      false,
      'ADDRESS',
    );
  }
  return unavailable(`The provider did not accept the request (${status}).`, drawWords.test(words));
}

/** The error without the key, which some providers quote. */
export function withoutKey(error: ModelError, apiKey: string): ModelError {
  if (error.detail === undefined) return error;
  // A shorter key is not a secret, and removing it would garble the text.
  const exact = apiKey.length < 4 ? error.detail : error.detail.replaceAll(apiKey, '[key]');
  const detail = exact.replace(/\b(sk|gsk|csk|xai|pplx)[-_][\w*.-]{6,}/gi, '[key]');
  if (detail === error.detail) return error;
  const { code, message, retryable, retryAfterMs, fault, windowTokens, status } = error;
  return new ModelError(code, message, retryable, detail, retryAfterMs, { fault, windowTokens, status });
}

/** The milliseconds that a provider asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as an HTTP date. */
export function retryAfterMsOf(headers: IncomingHttpHeaders, now: number = Date.now()): number | undefined {
  const milliseconds = String(headers['retry-after-ms'] ?? '').trim();
  if (milliseconds && Number(milliseconds) >= 0) return Math.round(Number(milliseconds));
  const value = headers['retry-after']?.trim();
  if (!value) return undefined;
  const seconds = Number(value);
  if (!Number.isNaN(seconds)) return seconds >= 0 ? Math.round(seconds * 1000) : undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Providers nest their errors differently, and some put them in a list. */
export function wordsOf(body: unknown): Words {
  if (typeof body === 'string') return { status: null, all: isHtml(body) ? '' : body };
  if (Array.isArray(body)) return wordsOf(body[0]);
  if (!isObject(body)) return { status: null, all: '' };
  if (isObject(body['error']) || typeof body['error'] === 'string') return wordsOf(body['error']);
  const { code, status_code: statusCode } = body;
  const number = [code, statusCode].map(Number).find((value) => value >= 300 && value < 600);
  const told = ['code', 'type', 'param', 'message', 'detail', 'msg'].map((key) => body[key]);
  // OpenRouter keeps the message of the provider behind it in `metadata`.
  const further = [body['metadata'], body['innererror']]
    .filter(isObject)
    .map((value) => JSON.stringify(value));
  const all = [...told.map(textOf), ...further].filter((text) => text !== '').join(' ');
  return { status: number ?? null, all };
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : isObject(value)
      ? JSON.stringify(value)
      : '';
}

function isHtml(text: string): boolean {
  return text.trimStart().startsWith('<');
}

function detailOf(status: number | null, body: unknown): string {
  return `${status === null ? '' : `${status} `}${inText(body)}`.slice(0, maxDetailLength).toWellFormed();
}

function inText(body: unknown): string {
  return typeof body === 'string' ? body.trim() : (JSON.stringify(body) ?? '');
}

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
type Unit = keyof typeof unitMs;

/** `1m2.5s`, `350ms`, `10 seconds`. Longer unit names come before their prefixes. */
const piece = String.raw`(\d+(?:\.\d+)?) ?(milliseconds?|ms|minutes?|min|m|hours?|h|seconds?|sec|s)(?![a-z])`;
const pauseSaid = [
  // Google's RetryInfo, also where a gateway quotes it
  new RegExp(String.raw`\bretryDelay\W{1,8}((?:${piece} ?)+)`, 'i'),
  // Groq and OpenAI: `try again in 1m2.5s`; Google: `retry in 20.3s`; Azure: `retry after 10 seconds`
  new RegExp(String.raw`\b(?:try again|retry) (?:in|after) ((?:${piece} ?)+)`, 'i'),
];

/** The milliseconds that an error's words ask to wait. Undefined: not stated. */
export function saidPauseMs(words: string): number | undefined {
  for (const pattern of pauseSaid) {
    const said = pattern.exec(words)?.[1];
    if (said === undefined) continue;
    const pieces = [...said.matchAll(new RegExp(piece, 'gi'))];
    return Math.round(pieces.reduce((sum, [, number, unit = '']) => sum + Number(number) * msOf(unit), 0));
  }
  return undefined;
}

function msOf(unit: string): number {
  const name = unit.toLowerCase();
  const short: Unit = name === 'ms' || name.startsWith('milli') ? 'ms' : (name.charAt(0) as Unit);
  return unitMs[short];
}

/** MiniMax answers 200 to everything and puts the outcome here. 0: success. */
export const BaseResp = z.object({
  status_code: z.number().nullish(),
  status_msg: z.string().nullish(),
});
export type BaseResp = z.infer<typeof BaseResp>;

/** MiniMax's codes as HTTP statuses. Other codes are faults of the provider. https://platform.minimax.io/docs/api-reference/errorcode */
const statusOf: Readonly<Record<number, number>> = {
  1001: 408,
  1002: 429,
  1004: 401,
  1008: 402,
  1039: 429,
  2013: 400,
  2049: 401,
};
/** Filtered input, and filtered output. */
const filteredCodes: ReadonlySet<number> = new Set([1026, 1027]);

/** The error in the usual form. Null: none. */
export function baseRespError(baseResp: BaseResp | null | undefined): object | null {
  if (!baseResp?.status_code) return null;
  const { status_code: code, status_msg: message } = baseResp;
  const known = filteredCodes.has(code) ? 'content_filter' : statusOf[code];
  return { ...(known === undefined ? {} : { code: known }), message: message ?? '', base_resp: baseResp };
}
