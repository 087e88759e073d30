import { ModelError } from '../chat-model.js';
import {
  baseRespError,
  providerError,
  ProviderRefusal,
  retryAfterMsOf,
  saidPauseMs,
  withoutKey,
} from './provider-error.js';
import { refusesParameter } from './refusal.js';

const settings = { baseUrl: 'THE_URL', key: 'THE_KEY', model: 'THE_MODEL', tooLong: 'It is too long.' };

function errorOf(status: number | null, body: unknown): ModelError {
  return providerError(new ProviderRefusal(status, body), 'm-1', settings);
}
function openAi(code: string | null, message: string, type = 'invalid_request_error') {
  return {
    code,
    message,
    type,
  };
}

describe('providerError', () => {
  it.each([
    [401, openAi('invalid_api_key', 'Incorrect API key'), 'MODEL_UNAVAILABLE', false, /THE_KEY/],
    [403, { message: 'Forbidden' }, 'MODEL_UNAVAILABLE', false, /THE_KEY/],
    [
      404,
      openAi('model_not_found', 'The model does not exist'),
      'MODEL_UNAVAILABLE',
      false,
      /m-1.*THE_MODEL/,
    ],
    [404, '<html>not here</html>', 'MODEL_UNAVAILABLE', false, /THE_URL/],
    [400, { message: 'm-1 is not a valid model ID', code: 400 }, 'MODEL_UNAVAILABLE', false, /THE_MODEL/],
    [402, { message: 'Insufficient Balance' }, 'MODEL_UNAVAILABLE', false, /credit/],
    [429, openAi('insufficient_quota', 'You exceeded your quota'), 'MODEL_UNAVAILABLE', false, /credit/],
    [
      429,
      openAi('rate_limit_exceeded', 'Rate limit reached on tokens per min'),
      'MODEL_UNAVAILABLE',
      true,
      /too many/,
    ],
    [
      429,
      openAi(
        'rate_limit_exceeded',
        'Rate limit reached for model `m-1` on tokens per minute (TPM). Please try again in 4.35s. Need more tokens? Upgrade at https://console.groq.com/settings/billing',
        'tokens',
      ),
      'MODEL_UNAVAILABLE',
      true,
      /too many/,
    ],
    [
      429,
      [
        {
          error: {
            code: 429,
            message: 'You exceeded your current quota, please check your plan and billing details.',
            status: 'RESOURCE_EXHAUSTED',
          },
        },
      ],
      'MODEL_UNAVAILABLE',
      true,
      /too many/,
    ],
    [
      429,
      { message: 'Your account has insufficient balance', type: 'exceeded_current_quota_error' },
      'MODEL_UNAVAILABLE',
      false,
      /credit/,
    ],
    [
      400,
      { message: 'Your credit balance is too low. Please go to Plans & Billing.' },
      'MODEL_UNAVAILABLE',
      false,
      /credit/,
    ],
    [500, { message: 'The billing service did not answer' }, 'MODEL_UNAVAILABLE', true, /500/],
    [
      null,
      openAi('rate_limit_exceeded', 'Rate limit reached. Upgrade at https://x/billing'),
      'MODEL_UNAVAILABLE',
      true,
      /too many/,
    ],
    [408, 'Request Timeout', 'MODEL_UNAVAILABLE', true, /408/],
    [409, {}, 'MODEL_UNAVAILABLE', true, /409/],
    [500, openAi(null, 'The server had an error', 'server_error'), 'MODEL_UNAVAILABLE', true, /500/],
    [529, { type: 'overloaded_error', message: 'Overloaded' }, 'MODEL_UNAVAILABLE', true, /529/],
    [503, '<html>Service Unavailable</html>', 'MODEL_UNAVAILABLE', true, /503/],
    [308, '', 'MODEL_UNAVAILABLE', false, /THE_URL/],
    [null, '<!DOCTYPE html><html></html>', 'MODEL_UNAVAILABLE', true, /web page.*THE_URL/],
    [400, { message: 'messages: field required' }, 'MODEL_UNAVAILABLE', false, /400/],
    [400, openAi('tool_use_failed', 'Failed to call a function.'), 'MODEL_UNAVAILABLE', true, /400/],
  ] as const)('%s %j is %s, retryable: %s', (status, body, code, retryable, message) => {
    expect(errorOf(status, body)).toMatchObject({ code, retryable, message: expect.stringMatching(message) });
  });

  it.each([
    [400, openAi('context_length_exceeded', "This model's maximum context length is 8192 tokens")],
    [400, { message: 'prompt is too long: 210000 tokens > 200000 maximum', type: 'invalid_request_error' }],
    [
      400,
      [
        {
          error: { code: 400, message: 'The input token count (1100000) exceeds the maximum number allowed' },
        },
      ],
    ],
    [400, { object: 'error', message: 'Please reduce the length of the messages or completion', code: 400 }],
    [413, openAi('rate_limit_exceeded', 'Request too large for model m-1')],
    [429, openAi('rate_limit_exceeded', 'Request too large for m-1 on tokens per min')],
    [
      429,
      openAi(
        'rate_limit_exceeded',
        'Request too large for m-1: Limit 6000, Requested 9000, please reduce your message size and try again.',
      ),
    ],
    [429, openAi(null, 'Please reduce the length of the messages.')],
    [null, openAi('context_length_exceeded', 'too long')],
  ])('%s %j: the context is too large', (status, body) => {
    expect(errorOf(status, body)).toMatchObject({ code: 'CONTEXT_TOO_LARGE', retryable: false });
  });

  it.each([
    [429, openAi('429', 'Too many tokens, please wait before trying again.', 'throttling_error')],
    [
      429,
      openAi(
        '429',
        'litellm.RateLimitError: BedrockException - {"message":"Too many tokens, please wait before trying again."}',
      ),
    ],
    [null, { message: 'ThrottlingException: Too many tokens per day, please wait before trying again.' }],
    [
      429,
      openAi(
        null,
        'This request would exceed the limit of 40,000 input tokens per minute. Please reduce the prompt length, or try again later.',
        'rate_limit_error',
      ),
    ],
    [429, openAi(null, 'Too many input tokens per minute.')],
  ])('%s %j: there are too many requests, and nothing is too long', (status, body) => {
    expect(errorOf(status, body)).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      retryable: true,
      message: expect.stringMatching(/too many/),
    });
  });

  it.each([
    [
      400,
      {
        code: 'content_filter',
        message: "The response was filtered due to Azure's content management policy.",
      },
    ],
    [400, { code: 'data_inspection_failed', message: 'Input data may contain inappropriate content.' }],
    [
      403,
      {
        code: 403,
        message: 'Requires moderation. Your input was flagged',
        metadata: { reasons: ['violence'] },
      },
    ],
    [null, { code: 'content_filter', message: 'Stopped' }],
  ])('%s %j: the model refused', (status, body) => {
    expect(errorOf(status, body)).toMatchObject({ code: 'MODEL_REFUSED', retryable: false });
  });

  it('finds words that a gateway nests', () => {
    const metadata = { raw: '{"error":{"code":"context_length_exceeded"}}', provider_name: 'Other' };
    expect(errorOf(400, { message: 'Provider returned error', code: 400, metadata }).code).toBe(
      'CONTEXT_TOO_LARGE',
    );
    expect(errorOf(400, { error: 'maximum context length is 10' }).code).toBe('CONTEXT_TOO_LARGE');
  });

  it('takes a number in an error inside the stream for a status', () => {
    expect(errorOf(null, { code: 429, message: 'Slow down' })).toMatchObject({ retryable: true });
    expect(errorOf(null, { code: '401', message: 'User not found.' })).toMatchObject({ retryable: false });
    expect(errorOf(null, { code: 'server_error', message: 'Oops' })).toMatchObject({ retryable: true });
    expect(errorOf(null, 'Oops')).toMatchObject({ retryable: true });
  });

  it("keeps the provider's words, to a limit", () => {
    expect(errorOf(500, { message: 'Oops' }).detail).toBe('500 {"message":"Oops"}');
    expect(errorOf(500, 'é'.repeat(5000)).detail).toHaveLength(2000);
    expect(errorOf(500, undefined).detail).toBe('500 ');
  });
});

describe('the pause before the next try', () => {
  const pauseOf = (body: unknown, retryAfterMs?: string): number | undefined => {
    const headers = retryAfterMs === undefined ? {} : { 'retry-after-ms': retryAfterMs };
    return providerError(new ProviderRefusal(429, body, headers), 'm-1', settings).retryAfterMs;
  };

  it('is what the header says, or else what the error itself says', () => {
    const body = { message: 'Please try again in 4.35s.' };
    expect(pauseOf(body, '2000')).toBe(2000);
    expect(pauseOf(body)).toBe(4350);
    expect(pauseOf([{ error: { code: 429, details: [{ retryDelay: '2s' }] } }])).toBe(2000);
    expect(pauseOf({ message: 'Slow down' })).toBeUndefined();
    expect(pauseOf({ message: 'Slow down' }, '0')).toBeUndefined();
  });

  it('is not told of a failure that nothing is tried again after', () => {
    const body = { message: 'Please try again in 4s.', code: 'insufficient_quota' };
    expect(pauseOf(body)).toBeUndefined();
  });
});

describe('withoutKey', () => {
  it('takes the key out, whole or masked, and leaves all else', () => {
    const error = new ModelError(
      'MODEL_UNAVAILABLE',
      'No.',
      false,
      'key 12345 or sk-pr***xyz or task-list',
      5,
    );
    expect(withoutKey(error, '12345')).toMatchObject({
      detail: 'key [key] or [key] or task-list',
      retryAfterMs: 5,
    });
    expect(withoutKey(error, '').detail).toContain('12345');
  });
});

describe('what a model takes', () => {
  it.each([
    ["This model's maximum context length is 8192 tokens. However, you requested 9000 tokens", 8192],
    [
      "'max_tokens' is too large: 4096. This model's maximum context length is 4000 tokens and your request has 2600 input tokens (4096 > 4000 - 2600).",
      4000,
    ],
    ['The decoder prompt (length 5123) is longer than the maximum model length of 4096. Make sure', 4096],
    ['the prompt is too long: 5000, model maximum context length: 4096', 4096],
    ['the request exceeds the available context size (4096 tokens), try increasing it', 4096],
    ['the model is loaded with context length of only 4096 tokens, which is not enough', 4096],
    ['AnthropicException - prompt is too long: 205000 tokens > 200000 maximum', 200_000],
    ['input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000', 200_000],
    ['The input token count (1200000) exceeds the maximum number of tokens allowed (1,048,576).', 1_048_576],
    ['Prompt contains 40000 tokens, too large for model with 32768 maximum context length', 32_768],
    ['Request too large for model `x`: tokens per minute (TPM): Limit 6000, Requested 9000', 6000],
    ['Input tokens exceed the configured limit of 272000 tokens. Please reduce the length', 272_000],
    ['too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000', 4081],
    ['Range of input length should be [1, 30720]', 30_720],
    ["This model's maximum prompt length is 131072 but the request contains 200000 tokens.", 131_072],
    ['Your input exceeds the context window of this model. Please try again.', undefined],
    ['context_length_exceeded (maximum 3)', undefined],
  ])('is read from %j: %s', (message, windowTokens) => {
    const error = errorOf(400, openAi('400', message, 'BadRequestError'));
    expect(error).toMatchObject({ code: 'CONTEXT_TOO_LARGE', windowTokens });
    expect(withoutKey(error, 'tokens').windowTokens).toBe(windowTokens);
  });
});

describe('refusesParameter', () => {
  it('tells an unknown parameter from a wrong value', () => {
    const refuses = (status: number, message: string): boolean =>
      refusesParameter({ status, words: message }, 'max_tokens');
    const openAiWords =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'.";
    expect(refuses(400, openAiWords)).toBe(true);
    expect(refuses(422, 'Unrecognized request argument supplied: max_tokens')).toBe(true);
    expect(refuses(400, 'max_tokens is too large: 9. At most 5 are given.')).toBe(false);
    expect(refuses(400, "'max_completion_tokens' is not supported")).toBe(false);
    expect(refuses(500, openAiWords)).toBe(false);
  });
});

it('puts the provider’s own words into the log, and not into what the asker is told', () => {
  const error = withoutKey(
    errorOf(400, { error: openAi(null, 'no such parameter, key-12345') }),
    'key-12345',
  );
  expect(error.message).not.toContain('no such parameter');
  expect(error.logDetail).toContain('no such parameter, [key]');
});

describe('retryAfterMsOf', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  const of = (headers: Record<string, string>): number | undefined => retryAfterMsOf(headers, now);

  it('reads milliseconds, seconds and dates', () => {
    expect(of({ 'retry-after-ms': '1500', 'retry-after': '9' })).toBe(1500);
    expect(of({ 'retry-after': '2' })).toBe(2000);
    expect(of({ 'retry-after': '0.5' })).toBe(500);
    expect(of({ 'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT' })).toBe(30_000);
    expect(of({ 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' })).toBe(0);
  });

  it('makes nothing of what says nothing', () => {
    expect(of({})).toBeUndefined();
    expect(of({ 'retry-after': 'soon' })).toBeUndefined();
    expect(of({ 'retry-after': '-1' })).toBeUndefined();
    expect(of({ 'retry-after-ms': 'x' })).toBeUndefined();
  });
});

describe('a pause in words', () => {
  describe('the pause that an error asks for in its words', () => {
    it.each([
      ['Rate limit reached. Please try again in 4.35s. Need more tokens?', 4350],
      ['Please try again in 6ms.', 6],
      ['Please try again in 1m2.5s.', 62_500],
      ['Please try again in 2h3m', 7_380_000],
      ['Please retry in 20.339s.', 20_339],
      ['Please retry after 10 seconds.', 10_000],
      ['Try again in 5 minutes', 300_000],
      ['{"retryDelay":"22s"}', 22_000],
      [JSON.stringify({ raw: JSON.stringify({ retryDelay: '1.5s' }) }), 1500],
    ])('is read from %j: %s', (words, pauseMs) => {
      expect(saidPauseMs(words)).toBe(pauseMs);
    });

    it.each(['Please try again later.', 'Try again in a while', 'Retry in 3 semesters', 'in 4s', ''])(
      'is not read from %j',
      (words) => {
        expect(saidPauseMs(words)).toBeUndefined();
      },
    );
  });
});

function miniMaxErrorOf(statusCode: number, words = 'no') {
  return errorOf(null, baseRespError({ status_code: statusCode, status_msg: words }));
}

describe('an error in the words of MiniMax', () => {
  it.each([
    [1001, 'MODEL_UNAVAILABLE', true, /408/],
    [1002, 'MODEL_UNAVAILABLE', true, /too many/],
    [1004, 'MODEL_UNAVAILABLE', false, /THE_KEY/],
    [1008, 'MODEL_UNAVAILABLE', false, /credit/],
    [1026, 'MODEL_REFUSED', false, /filter/],
    [1027, 'MODEL_REFUSED', false, /filter/],
    [1039, 'MODEL_UNAVAILABLE', true, /too many/],
    [2013, 'MODEL_UNAVAILABLE', false, /400/],
    [2049, 'MODEL_UNAVAILABLE', false, /THE_KEY/],
    [1000, 'MODEL_UNAVAILABLE', true, /broke off/],
  ] as const)('%s is %s, retryable: %s', (statusCode, code, retryable, message) => {
    expect(miniMaxErrorOf(statusCode)).toMatchObject({
      code,
      retryable,
      message: expect.stringMatching(message),
      detail: expect.stringContaining(`"status_code":${statusCode}`),
    });
  });

  it('is none where all is well', () => {
    expect(baseRespError({ status_code: 0, status_msg: '' })).toBeNull();
    expect(baseRespError({})).toBeNull();
    expect(baseRespError(null)).toBeNull();
  });
});
