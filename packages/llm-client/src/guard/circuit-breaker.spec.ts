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

function fail(times: number, error: unknown = unavailable()): void {
  for (let i = 0; i < times; i++) breaker.admit().failed(error);
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
  it('opens after five failures in a row, and says how long to wait', () => {
    fail(4);
    expect(breaker.state).toBe('closed');
    fail(1);
    expect(breaker.state).toBe('open');
    vi.setSystemTime(5_000);
    expect(refusal()).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true, retryAfterMs: 10_000 });
    expect(() => breaker.admit()).toThrow(ModelError);
  });

  it.each([408, 429, 500, 503])('counts an answer of %i', (status) => {
    fail(5, answered(status));
    expect(breaker.state).toBe('open');
  });

  it('does not open when one of five goes well', () => {
    fail(4);
    breaker.admit().succeeded();
    fail(4);
    expect(breaker.state).toBe('closed');
  });

  it.each([
    ['a refusal', new ModelError('MODEL_REFUSED', 'no', false)],
    ['a request that is too large', new ModelError('CONTEXT_TOO_LARGE', 'too large', false)],
    ['a wrong key', new ModelError('MODEL_UNAVAILABLE', 'key', false)],
    ['a call that the model wrote badly', answered(400)],
    ['an abort', new DOMException('stopped', 'AbortError')],
  ])('does not count %s, neither as a failure nor as a success', (_, error) => {
    fail(4);
    fail(10, error);
    breaker.admit().abandoned();
    expect(breaker.state).toBe('closed');
    fail(1);
    expect(breaker.state).toBe('open');
  });

  it('lets one call through after 15 seconds, and all when that goes well', () => {
    fail(5);
    vi.setSystemTime(14_999);
    expect(breaker.state).toBe('open');
    vi.setSystemTime(15_000);
    expect(breaker.state).toBe('half-open');
    const trial = breaker.admit();
    expect(trial.isTrial).toBe(true);
    expect(refusal()).toMatchObject({ retryable: true, retryAfterMs: 1_000 });
    trial.succeeded();
    expect(breaker.state).toBe('closed');
    fail(4);
    expect(breaker.state).toBe('closed');
  });

  it('opens again when the trial fails', () => {
    fail(5);
    vi.setSystemTime(15_000);
    breaker.admit().failed(unavailable());
    expect(breaker.state).toBe('open');
    vi.setSystemTime(29_999);
    expect(refusal()).toMatchObject({ retryAfterMs: 1 });
    vi.setSystemTime(30_000);
    expect(refusal()).toBeNull();
  });

  it('makes nothing of a trial that was stopped: the next call is one', () => {
    fail(5);
    vi.setSystemTime(15_000);
    breaker.admit().abandoned();
    expect(breaker.state).toBe('half-open');
    const next = breaker.admit();
    expect(next.isTrial).toBe(true);
    next.succeeded();
    expect(breaker.state).toBe('closed');
  });

  it('waits as long as the provider asks, within reason', () => {
    fail(4);
    fail(1, unavailable(40_000));
    expect(refusal()).toMatchObject({ retryAfterMs: 40_000 });
    vi.setSystemTime(40_000);
    breaker.admit().failed(unavailable(86_400_000));
    expect(refusal()).toMatchObject({ retryAfterMs: 300_000 });
  });

  it('is not moved by calls that began before it opened', () => {
    const early = breaker.admit();
    const late = breaker.admit();
    fail(5);
    early.succeeded();
    expect(breaker.state).toBe('open');
    late.failed(unavailable(200_000));
    expect(refusal()).toMatchObject({ retryAfterMs: 15_000 });
  });
});
