import { baseRespError } from './base-resp.js';
import { providerError } from './provider-error.js';

const errorOf = (statusCode: number, words = 'no') =>
  providerError({
    status: null,
    body: baseRespError({ status_code: statusCode, status_msg: words }),
    model: 'm-1',
  });

describe('an error in the words of MiniMax', () => {
  it.each([
    [1001, 'MODEL_UNAVAILABLE', true, /408/],
    [1002, 'MODEL_UNAVAILABLE', true, /too many/],
    [1004, 'MODEL_UNAVAILABLE', false, /LLM_API_KEY/],
    [1008, 'MODEL_UNAVAILABLE', false, /credit/],
    [1026, 'MODEL_REFUSED', false, /filter/],
    [1027, 'MODEL_REFUSED', false, /filter/],
    [1039, 'MODEL_UNAVAILABLE', true, /too many/],
    [2013, 'MODEL_UNAVAILABLE', false, /400/],
    [2049, 'MODEL_UNAVAILABLE', false, /LLM_API_KEY/],
    [1000, 'MODEL_UNAVAILABLE', true, /broke off/],
  ] as const)('%s is %s, retryable: %s', (statusCode, code, retryable, message) => {
    expect(errorOf(statusCode)).toMatchObject({
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
