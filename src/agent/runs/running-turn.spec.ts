import { ModelError } from '@palabre/llm-client';
import { hang, ScriptedChatModel, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { DomainError } from '../../common/errors/domain-error.js';
import { ClaimLost } from '../../conversations/turns/log/turn-log.service.js';
import { noUsage, type TurnEntry, type Usage } from '../../conversations/turns/turn-event.js';
import type { AgentResult } from '../loop/agent-turn.js';
import { reactive } from '../loop/reactive.js';
import { ended, scriptedPorts, scriptedTurn } from '../loop/scripted-turn.double.js';
import { type RunHandle, TurnStopped, type Work } from './running-turn.js';
import {
  answered,
  begin,
  delta,
  type Events,
  handOver,
  pass,
  silence,
  work,
  workOf,
} from './scripted-claims.double.js';

function away(): DomainError {
  return new DomainError('UNAVAILABLE', 'The database is away.');
}
function stopped(): TurnStopped {
  return new TurnStopped({ type: 'stop', finishReason: 'CANCELLED' });
}
function abandon(): TurnStopped {
  return new TurnStopped({ type: 'abandon' });
}

describe('a running turn', () => {
  it('stores what is told, and ends as it came out', async () => {
    const { claims, running } = begin({ modelCalls: 2, inputTokens: 20 });
    const count = async (usage: Usage): Promise<AgentResult> => {
      usage.modelCalls += 1;
      return ended('MAX_TOKENS');
    };
    await running.run(work([delta('4'), delta('2')], count));
    expect(claims.stored).toEqual([delta('42')]);
    const usage = { ...noUsage, modelCalls: 3, inputTokens: 20 };
    expect(claims.ends).toEqual([{ ...answered, finishReason: 'MAX_TOKENS', text: '42', usage }]);
  });

  it('fails with what the model said, and keeps what was shown', async () => {
    const { claims, running } = begin();
    const gone = new ModelError('MODEL_REFUSED', 'It was refused.', false);
    await running.run(work([delta('So')], () => Promise.reject(gone)));
    expect(claims.ends).toEqual([
      expect.objectContaining({
        status: 'FAILED',
        text: 'So',
        error: expect.objectContaining({ code: 'MODEL_REFUSED' }),
      }),
    ]);
  });

  it('fails when it cannot be prepared', async () => {
    const { claims, running } = begin();
    await running.run(() => Promise.reject(new Error('There is no such assistant.')));
    expect(claims.ends).toEqual([expect.objectContaining({ status: 'FAILED', text: '' })]);
  });

  it('lets its work wait until all that it told is stored', async () => {
    const { claims, running } = begin();
    let storedBy: TurnEntry[] = [];
    const prepare = ({ stored }: RunHandle): Promise<Work> =>
      work([delta('So')], async () => {
        await stored();
        storedBy = [...claims.stored];
        return ended('ANSWERED');
      })();
    await running.run(prepare);
    expect(storedBy).toEqual([delta('So')]);
  });

  it('ends with its citations', async () => {
    const { claims, running } = begin();
    const citations = [
      { marker: 1, documentId: 'd', documentName: 'Energy.pdf', page: 2, quote: '42 MWh', score: 0.9 },
    ];
    const result: AgentResult = { type: 'done', finishReason: 'ANSWERED', citations };
    await running.run(work([delta('42 [1]')], () => Promise.resolve(result)));
    expect(claims.ends).toEqual([expect.objectContaining({ text: '42 [1]', citations })]);
  });

  it('is out of time when its seconds are over', async () => {
    const { claims, clock, running } = begin();
    let waiting = 0;
    const onSilence = (): void => {
      waiting = pass(clock, 7_000);
    };
    await running.run(work([delta('So far')], silence(onSilence), { maxSeconds: 7 }));
    expect(waiting).toBe(1);
    const ending = { ...answered, finishReason: 'MAX_SECONDS' };
    expect(claims.ends).toEqual([{ ...ending, text: 'So far', usage: noUsage }]);
  });

  it('waits for nothing any more when it ends before', async () => {
    const { clock, running } = begin();
    let waiting = 0;
    const last = async (): Promise<AgentResult> => {
      waiting = clock.waiting;
      return ended('ANSWERED');
    };
    await running.run(work([delta('42')], last));
    expect([waiting, clock.waiting]).toEqual([1, 0]);
  });
});

describe('a running turn that is to end early', () => {
  it('does nothing at all when it is stopped before it starts', async () => {
    const { claims, running } = begin();
    running.stop(stopped());
    let prepared = 0;
    await running.run(() => {
      prepared += 1;
      return work([])();
    });
    expect(prepared).toBe(0);
    const ending = { ...answered, status: 'CANCELLED', finishReason: 'CANCELLED' };
    expect(claims.ends).toEqual([{ ...ending, text: '', usage: noUsage }]);
  });

  it('nor when it was to end before it was claimed', async () => {
    const { claims, running } = begin({ stopReason: 'SUPERSEDED' });
    await running.run(work([delta('So')]));
    expect(claims.ends).toEqual([
      expect.objectContaining({ status: 'CANCELLED', finishReason: 'SUPERSEDED' }),
    ]);
    expect(claims.stored).toEqual([]);
  });

  it('keeps the first reason', async () => {
    const { claims, running } = begin();
    running.onStop('SUPERSEDED');
    running.onStop('CANCELLED');
    running.stop(handOver());
    await running.run(work([]));
    expect(claims.ends).toEqual([expect.objectContaining({ finishReason: 'SUPERSEDED' })]);
    expect(claims.handedOver).toBe(0);
  });

  it('leaves a model that says nothing, and keeps what it said', async () => {
    const { claims, running } = begin();
    const model = new ScriptedChatModel([[text('So far'), hang()]]);
    const ports = scriptedPorts({ model });
    const events: Events = async function* (usage, signal) {
      const loop = reactive(ports, scriptedTurn(3), usage, signal);
      yield (await loop.next()).value as TurnEntry;
      setImmediate(() => running.onStop('CANCELLED'));
      return yield* loop;
    };
    await running.run(() => Promise.resolve(workOf(events)));
    expect(model.aborted).toBe(1);
    expect(claims.ends).toEqual([
      expect.objectContaining({ status: 'CANCELLED', finishReason: 'CANCELLED', text: 'So far' }),
    ]);
  });

  it('ends for the reason it was stopped for, whatever its work makes of that', async () => {
    const { claims, running } = begin();
    const hungUp = new ModelError('MODEL_UNAVAILABLE', 'The model hung up.', true);
    const last = async (): Promise<never> => {
      running.onStop('CANCELLED');
      throw hungUp;
    };
    await running.run(work([delta('So')], last));
    expect(claims.ends).toEqual([expect.objectContaining({ status: 'CANCELLED', text: 'So', error: null })]);
  });

  it('stops while it is being prepared', async () => {
    const { claims, running } = begin();
    await running.run(async () => {
      running.onStop('CANCELLED');
      return work([delta('So')])();
    });
    expect(claims.stored).toEqual([]);
    expect(claims.ends).toEqual([expect.objectContaining({ status: 'CANCELLED', text: '' })]);
  });

  it('is handed over with what was still to be told', async () => {
    const { claims, running } = begin();
    const done: TurnEntry = { type: 'skill-loaded', skill: 'esg' };
    const events: Events = async function* (_, signal) {
      yield delta('So');
      await silence(() => running.stop(handOver()))(noUsage, signal).catch(() => undefined);
      // Like the end of a skill that was known at shutdown.
      yield done;
      signal.throwIfAborted();
      return ended('ANSWERED');
    };
    await running.run(() => Promise.resolve(workOf(events)));
    expect(claims.stored).toEqual([delta('So'), done]);
    expect(claims.handedOver).toBe(1);
    expect(claims.ends).toEqual([]);
  });

  it('is not handed over any more when it has been answered', async () => {
    const { claims, running } = begin();
    const last = async (): Promise<AgentResult> => {
      running.stop(handOver());
      return ended('ANSWERED');
    };
    await running.run(work([delta('42')], last));
    expect(claims.ends).toEqual([expect.objectContaining(answered)]);
    expect(claims.handedOver).toBe(0);
  });

  it('writes nothing more when it is another attempt’s', async () => {
    const { claims, running } = begin();
    await running.run(
      work(
        [delta('So')],
        silence(() => running.onLost()),
      ),
    );
    expect(claims.ends).toEqual([]);
    expect(claims.handedOver).toBe(0);
  });
});

describe('a running turn whose database is away', () => {
  // The abort of running work must not cause unhandled rejections.
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  const checkUnhandled = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled.splice(0)).toEqual([]);
  };
  beforeEach(() => void process.on('unhandledRejection', note));
  afterEach(checkUnhandled);

  it('waits for it when it is being prepared', async () => {
    const { claims, running } = begin();
    let attempts = 0;
    await running.run(() => {
      attempts += 1;
      return attempts <= 2 ? Promise.reject(away()) : work([delta('42')])();
    });
    expect(attempts).toBe(3);
    expect(claims.ends).toEqual([expect.objectContaining({ ...answered, text: '42' })]);
  });

  it('can be stopped while it waits, and ends when the database is back', async () => {
    const { claims, running } = begin();
    claims.failures.push(away());
    await running.run(() => {
      setImmediate(() => running.onStop('CANCELLED'));
      return Promise.reject(away());
    });
    expect(claims.ends).toEqual([expect.objectContaining({ status: 'CANCELLED' })]);
  });

  it('waits for it at its end', async () => {
    const { claims, running } = begin();
    claims.failures.push(away(), away());
    await running.run(work([delta('42')]));
    expect(claims.ends).toEqual([expect.objectContaining({ ...answered, text: '42' })]);
    expect(claims.stored).toEqual([delta('42')]);
  });

  it('waits for it when it is handed over', async () => {
    const { claims, running } = begin();
    claims.failures.push(away());
    await running.run(
      work(
        [],
        silence(() => running.stop(handOver())),
      ),
    );
    expect(claims.handedOver).toBe(1);
  });

  it('is handed over when it went away where nobody waited', async () => {
    const { claims, running } = begin();
    await running.run(work([delta('So')], () => Promise.reject(away())));
    expect(claims.handedOver).toBe(1);
    expect(claims.ends).toEqual([]);
  });

  it('does not wait for it any more when the process leaves', async () => {
    const { claims, running } = begin();
    claims.failures.push(away(), away());
    claims.onAttempt = () => setImmediate(() => running.leave(abandon()));
    await running.run(work([delta('42')]));
    expect(claims.failures).toHaveLength(1);
    expect(claims.ends).toEqual([]);
  });

  it('nor to be handed over', async () => {
    const { claims, running } = begin();
    claims.failures.push(away(), away());
    claims.onAttempt = () => setImmediate(() => running.leave(abandon()));
    await running.run(
      work(
        [],
        silence(() => running.stop(handOver())),
      ),
    );
    expect(claims.handedOver).toBe(0);
  });
});

describe('a running turn whose writes are refused', () => {
  const lost = new ClaimLost('The turn is no longer this attempt’s.');

  /** Tells a second part when the first has been answered. */
  const twoRounds = async (): Promise<Work> => {
    const events: Events = async function* () {
      yield delta('So');
      await new Promise((resolve) => setImmediate(resolve));
      yield delta(' far');
      throw new Error('Nobody was to ask for more.');
    };
    return workOf(events);
  };

  it('writes nothing more once a write was refused because its claim is lost', async () => {
    const { claims, running } = begin();
    claims.refusal = lost;
    await running.run(twoRounds);
    expect(claims.ends).toEqual([]);
    expect(claims.stored).toEqual([]);
  });

  it('carries out nothing for which it waited to be stored', async () => {
    const { claims, running } = begin();
    claims.refusal = lost;
    let carriedOut = 0;
    const prepare = ({ stored }: RunHandle): Promise<Work> =>
      work([delta('So')], async () => {
        await stored();
        carriedOut += 1;
        return ended('ANSWERED');
      })();
    await running.run(prepare);
    expect(carriedOut).toBe(0);
    expect(claims.ends).toEqual([]);
  });

  it('tries its end again, after pauses, that was refused for another reason', async () => {
    const { claims, clock, running } = begin();
    const deadlock = new Error('Two transactions waited for each other.');
    claims.failures.push(deadlock, deadlock, deadlock);
    const over = running.run(work([delta('42')]));
    await clock.nextTimer(); // the deadline
    for (const pauseMs of [100, 1_000, 5_000]) {
      await clock.nextTimer();
      expect(claims.ends).toEqual([]);
      // The pause and the deadline.
      expect(pass(clock, pauseMs)).toBe(2);
    }
    await over;
    expect(claims.ends).toEqual([expect.objectContaining({ ...answered, text: '42' })]);
  });

  it('does not try it again when its claim is lost', async () => {
    const { claims, running } = begin();
    claims.failures.push(lost);
    await running.run(work([delta('42')]));
    expect(claims.failures).toEqual([]);
    expect(claims.ends).toEqual([]);
  });

  it('fails when a part cannot be stored for another reason, and tells its text anew', async () => {
    const { claims, running } = begin();
    claims.refusal = new Error('The server cannot make sense of it.');
    await running.run(twoRounds);
    expect(claims.stored).toEqual([{ type: 'text-reset', cause: 'RETRIED' }, delta('So')]);
    expect(claims.ends).toEqual([
      expect.objectContaining({ status: 'FAILED', error: expect.objectContaining({ code: 'INTERNAL' }) }),
    ]);
  });
});
