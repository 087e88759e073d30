import { ModelError } from '@palabre/llm-client';

import { DomainError } from '../../common/errors/domain-error.js';
import { QuotaSpent } from '../../companies/usage/quotas.service.js';
import { spentQuotaIn } from '../../companies/usage/spent-quota.js';
import type { MadeModelCall } from '../../conversations/turns/model-calls/model-call.js';
import { type InputAsked, noUsage, type Usage } from '../../conversations/turns/turn-event.js';
import type { AgentResult } from '../loop/agent-turn.js';
import { ended } from '../loop/scripted-turn.double.js';
import { endingOf, type RunHandle, TurnStopped, type Work } from './running-turn.js';
import { begin, delta, handOver, pass, silence, work, workOf } from './scripted-claims.double.js';

const asked: InputAsked = {
  kind: 'APPROVAL',
  callId: 'call',
  skill: 'send_email',
  arguments: { to: 'awa@example.org' },
  reason: null,
  asked: { step: 0, preamble: '', modelCallId: 'm', modelArguments: '{}' },
  askerMayApprove: false,
  request: null,
  timeoutSeconds: null,
};
const waiting: AgentResult = { type: 'waiting', inputs: [asked] };

type Last = (usage: Usage, signal: AbortSignal) => Promise<AgentResult>;

/** Ends of a run without an answer. */
const unanswered: [string, (stop: () => void) => Last][] = [
  ['waits', () => async () => waiting],
  ['is handed over', (stop) => silence(stop)],
  ['fails', () => () => Promise.reject(new Error('The model hung up.'))],
];

describe('a running turn that has to wait for people', () => {
  it('puts the questions after what was still to be told, and is over', async () => {
    const { claims, clock, running } = begin();
    await running.run(work([delta('May I?')], async () => waiting));
    expect(claims.stored).toEqual([delta('May I?')]);
    expect(claims.parked).toEqual([[asked]]);
    expect([claims.ends.length, claims.handedOver, clock.waiting]).toEqual([0, 0, 0]);
  });

  it('ends instead when somebody has had it stopped meanwhile', async () => {
    const { claims, running } = begin();
    claims.stopReason = 'SUPERSEDED';
    await running.run(work([delta('May I?')], async () => waiting));
    expect(claims.parked).toEqual([]);
    const ending = { status: 'CANCELLED', finishReason: 'SUPERSEDED', error: null, citations: [] };
    expect(claims.ends).toEqual([expect.objectContaining({ ...ending, text: 'May I?' })]);
  });

  it('waits for a database that is away', async () => {
    const { claims, running } = begin();
    claims.failures.push(new DomainError('UNAVAILABLE', 'The database is away.'));
    await running.run(work([], async () => waiting));
    expect(claims.parked).toEqual([[asked]]);
  });

  it('puts them again that were refused for another reason, after a pause', async () => {
    const { claims, clock, running } = begin();
    claims.failures.push(new Error('Two transactions waited for each other.'));
    const over = running.run(work([], async () => waiting));
    await clock.nextTimer(); // the deadline
    await clock.nextTimer();
    expect(claims.parked).toEqual([]);
    pass(clock, 100);
    await over;
    expect(claims.parked).toEqual([[asked]]);
  });
});

function callOf(model: string, costUsd: number | null = null): MadeModelCall {
  return {
    purpose: 'ANSWER',
    model,
    provider: 'INSTALLATION',
    messages: [{ role: 'user', content: 'How much?' }],
    tools: [],
    hasSummary: false,
    usage: {
      inputTokens: 10,
      outputTokens: 5,
      cachedInputTokens: 0,
      reasoningTokens: 0,
      source: 'PROVIDER',
    },
    costUsd,
    outcome: 'stop',
    durationMs: 1,
    at: new Date(0),
  };
}

describe('the model calls of a running turn', () => {
  it('are stored with what is told next, and the last of them with the end', async () => {
    const { claims, running } = begin();
    const modelsStored = (): string[] => claims.calls.map(({ model }) => model);
    let before: string[] = [];
    const prepare = async (run: RunHandle): Promise<Work> =>
      workOf(async function* () {
        run.record(callOf('first'));
        yield delta('42');
        await run.stored();
        before = modelsStored();
        run.record(callOf('second'));
        return ended('ANSWERED');
      });
    await running.run(prepare);
    expect(before).toEqual(['first']);
    expect(modelsStored()).toEqual(['first', 'second']);
    // Includes the payer, and nothing of the second prompt that the first already has.
    expect(claims.calls[0]).toMatchObject({ memberId: 'awa', assistantKey: 'mefali', kept: 0 });
    expect(claims.calls[1]).toMatchObject({ kept: 1, messages: [] });
  });

  it('cost the turn what is known of them', async () => {
    const { claims, running } = begin({ costUsd: 1 });
    const prepare = (run: RunHandle): Promise<Work> =>
      work([], async () => {
        for (const costUsd of [0.5, null, 0.25]) run.record(callOf('m', costUsd));
        return ended('ANSWERED');
      })();
    await running.run(prepare);
    expect(claims.ends[0]?.usage.costUsd).toBe(1.75);
  });

  it('leave it without a cost when none is known', async () => {
    const { claims, running } = begin();
    const prepare = (run: RunHandle): Promise<Work> =>
      work([], async () => {
        run.record(callOf('m'));
        return ended('ANSWERED');
      })();
    await running.run(prepare);
    expect(claims.ends[0]?.usage.costUsd).toBeNull();
  });

  it.each(unanswered)('are stored of a turn that %s', async (_, lastOf) => {
    const { claims, running } = begin();
    const last = lastOf(() => running.stop(handOver()));
    const prepare = (run: RunHandle): Promise<Work> =>
      work([], (usage, signal) => {
        run.record(callOf('m'));
        return last(usage, signal);
      })();
    await running.run(prepare);
    expect(claims.calls.map(({ model }) => model)).toEqual(['m']);
  });
});

describe('what a running turn has used up', () => {
  it.each(unanswered.slice(0, 2))('is told to the next owner of one that %s', async (_, lastOf) => {
    const { claims, running } = begin({ modelCalls: 2, inputTokens: 20 });
    const last = lastOf(() => running.stop(handOver()));
    const count: Last = (usage, signal) => {
      usage.modelCalls += 1;
      return last(usage, signal);
    };
    await running.run(work([], count));
    expect(claims.used).toEqual([{ ...noUsage, modelCalls: 3, inputTokens: 20 }]);
  });
});

describe('what becomes true together with an answer', () => {
  const reasons = {
    cancelled: new TurnStopped({ type: 'stop', finishReason: 'CANCELLED' }),
    over: handOver(),
  };

  it.each<[string, number, () => Promise<AgentResult>]>([
    ['is answered', 1, async () => ended('ANSWERED')],
    ['is out of steps', 1, async () => ended('MAX_STEPS')],
    ['is cancelled', 0, () => Promise.reject(reasons.cancelled)],
    ['is handed over', 0, () => Promise.reject(reasons.over)],
    ['fails', 0, () => Promise.reject(new Error('The model hung up.'))],
    ['waits for people', 0, async () => waiting],
  ])('is done, of a turn that %s, %i times', async (_, times, last) => {
    const { running } = begin();
    let done = 0;
    const atEnd = async (): Promise<void> => {
      done += 1;
    };
    await running.run(work([delta('42')], last, { atEnd }));
    expect(done).toBe(times);
  });
});

describe('how a turn ends', () => {
  describe('how a turn ends whose loop rejected', () => {
    it.each(['CANCELLED', 'SUPERSEDED'] as const)('stopped as %s, with or without text', (finishReason) => {
      const stopped = new TurnStopped({ type: 'stop', finishReason });
      const ending = { status: 'CANCELLED', finishReason, error: null, citations: [] };
      expect(endingOf(stopped, '')).toEqual(ending);
      expect(endingOf(stopped, 'So far')).toEqual(ending);
    });

    it('out of time with text: that is the answer', () => {
      expect(endingOf(new TurnStopped({ type: 'deadline' }), 'So far')).toEqual({
        status: 'COMPLETED',
        finishReason: 'MAX_SECONDS',
        error: null,
        citations: [],
      });
    });

    it.each(['', ' \n'])('out of time with nothing said (%j): it failed and can be tried again', (text) => {
      expect(endingOf(new TurnStopped({ type: 'deadline' }), text)).toMatchObject({
        status: 'FAILED',
        finishReason: 'MAX_SECONDS',
        error: { code: 'MODEL_UNAVAILABLE', retryable: true },
      });
    });

    it('abandoned: not at all', () => {
      expect(endingOf(new TurnStopped({ type: 'abandon' }), 'So far')).toBeNull();
    });

    it.each([
      ['because the process stops', new TurnStopped({ type: 'hand-over' })],
      ['because the database went away', new DomainError('UNAVAILABLE', 'Please try again.')],
    ])('%s: another run goes on with it', (_, error) => {
      expect(endingOf(error, 'So far')).toBe('hand-over');
    });

    it('by any other refusal of ours: it failed', () => {
      expect(endingOf(new DomainError('CONFLICT', 'There is one.'), '')).toMatchObject({ status: 'FAILED' });
    });

    it('by the model: with what stands in the way, where that is known', () => {
      const error = new ModelError('MODEL_UNAVAILABLE', 'Check it.', false, undefined, undefined, {
        fault: 'KEY',
      });
      expect(endingOf(error, '')).toMatchObject({
        error: { code: 'MODEL_UNAVAILABLE', retryable: false, fault: 'KEY' },
      });
    });

    it('by the model: with its code, and not in the provider’s words', () => {
      const error = new ModelError('MODEL_REFUSED', 'It was refused.', false, 'sk-secret is wrong');
      expect(endingOf(error, 'So far')).toEqual({
        status: 'FAILED',
        finishReason: 'ERROR',
        error: { code: 'MODEL_REFUSED', retryable: false, fault: undefined },
        citations: [],
      });
    });

    it('by a quota that is used up: asking again does not help', () => {
      const quota = { of: 'member', period: 'DAY', provider: '', resetsAt: new Date(0) } as const;
      expect(endingOf(new QuotaSpent(quota, 'es'), 'So far')).toMatchObject({
        status: 'FAILED',
        error: { code: 'RATE_LIMITED', message: spentQuotaIn(quota, 'es'), retryable: false },
      });
    });

    it.each([new TypeError('x is not a function of table turn'), 'a string', undefined])(
      'by %p: nothing of what is inside gets out',
      (error) => {
        const ending = endingOf(error, '');
        expect(ending).toMatchObject({ status: 'FAILED', error: { code: 'INTERNAL', retryable: true } });
        expect(JSON.stringify(ending)).not.toMatch(/function|table|string/);
      },
    );
  });
});
