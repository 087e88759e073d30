import { ModelError } from '../chat-model.js';
import { CircuitBreaker } from './circuit-breaker.js';

function unavailable(retryAfterMs?: number): ModelError {
  return new ModelError('MODEL_UNAVAILABLE', 'away', true, undefined, retryAfterMs);
}

function answered(status: number): ModelError {
  return new ModelError('MODEL_UNAVAILABLE', 'answered', true, undefined, undefined, { status });
}

let breaker: CircuitBreaker;

beforeEach(() => {
  vi.useFakeTimers({ toNotFake: ['setImmediate', 'setTimeout'], now: 0 });
  breaker = new CircuitBreaker('m');
});
afterEach(() => vi.useRealTimers());

async function fail(times: number, error: unknown = unavailable()): Promise<void> {
  for (let i = 0; i < times; i++) await breaker.admit().failed(error);
}

function refusal(): unknown {
  try {
    breaker.check();
  } catch (error) {
    return error;
  }
  return null;
}

describe('CircuitBreaker', () => {
  it('opens after five failures in a row, and says how long to wait', async () => {
    await fail(4);
    expect(breaker.state).toBe('closed');
    await fail(1);
    expect(breaker.state).toBe('open');
    vi.setSystemTime(5_000);
    expect(refusal()).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true, retryAfterMs: 10_000 });
    expect(() => breaker.admit()).toThrow(ModelError);
  });

  it.each([408, 429, 500, 503])('counts an answer of %i', async (status) => {
    await fail(5, answered(status));
    expect(breaker.state).toBe('open');
  });

  it('does not open when one of five goes well', async () => {
    await fail(4);
    await breaker.admit().succeeded();
    await fail(4);
    expect(breaker.state).toBe('closed');
  });

  it.each([
    ['a refusal', new ModelError('MODEL_REFUSED', 'no', false)],
    ['a request that is too large', new ModelError('CONTEXT_TOO_LARGE', 'too large', false)],
    ['a wrong key', new ModelError('MODEL_UNAVAILABLE', 'key', false)],
    ['a call that the model wrote badly', answered(400)],
    ['an abort', new DOMException('stopped', 'AbortError')],
  ])('does not count %s, neither as a failure nor as a success', async (_, error) => {
    await fail(4);
    await fail(10, error);
    await breaker.admit().abandoned();
    expect(breaker.state).toBe('closed');
    await fail(1);
    expect(breaker.state).toBe('open');
  });

  it('lets one call through after 15 seconds, and all when that goes well', async () => {
    await fail(5);
    vi.setSystemTime(14_999);
    expect(breaker.state).toBe('open');
    vi.setSystemTime(15_000);
    expect(breaker.state).toBe('half-open');
    const trial = breaker.admit();
    expect(trial.isTrial).toBe(true);
    expect(refusal()).toMatchObject({ retryable: true, retryAfterMs: 1_000 });
    await trial.succeeded();
    expect(breaker.state).toBe('closed');
    await fail(4);
    expect(breaker.state).toBe('closed');
  });

  it('opens again when the trial fails', async () => {
    await fail(5);
    vi.setSystemTime(15_000);
    await breaker.admit().failed(unavailable());
    expect(breaker.state).toBe('open');
    vi.setSystemTime(29_999);
    expect(refusal()).toMatchObject({ retryAfterMs: 1 });
    vi.setSystemTime(30_000);
    expect(refusal()).toBeNull();
  });

  it('makes nothing of a trial that was stopped: the next call is one', async () => {
    await fail(5);
    vi.setSystemTime(15_000);
    await breaker.admit().abandoned();
    expect(breaker.state).toBe('half-open');
    const next = breaker.admit();
    expect(next.isTrial).toBe(true);
    await next.succeeded();
    expect(breaker.state).toBe('closed');
  });

  it('waits as long as the provider asks, within reason', async () => {
    await fail(4);
    await fail(1, unavailable(40_000));
    expect(refusal()).toMatchObject({ retryAfterMs: 40_000 });
    vi.setSystemTime(40_000);
    await breaker.admit().failed(unavailable(86_400_000));
    expect(refusal()).toMatchObject({ retryAfterMs: 300_000 });
  });

  it('is not moved by calls that began before it opened', async () => {
    const early = breaker.admit();
    const late = breaker.admit();
    await fail(5);
    await early.succeeded();
    expect(breaker.state).toBe('open');
    await late.failed(unavailable(200_000));
    expect(refusal()).toMatchObject({ retryAfterMs: 15_000 });
  });
});
