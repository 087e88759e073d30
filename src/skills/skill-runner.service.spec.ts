import type { JsonObject, JsonValue } from '@palabre/json';

import { SkillRunner } from './skill-runner.service.js';
import { ServiceError, type Skill, SkillAnswer, type SkillContext, SkillError, readsOwn } from './skill.js';
import { wordingIn } from '../common/wording/wording.js';

type Run = Skill['run'];

const { badArguments } = wordingIn('fr').skillRefusals;

function skillOf(run: Run, timeoutMs = 60_000): Skill {
  return {
    key: 'look',
    name: 'Look',
    description: 'Looks.',
    parameters: { type: 'object', properties: { at: { type: 'string' } } },
    idempotent: true,
    timeoutMs,
    effect: readsOwn,
    run,
  };
}

/** A runner of one skill, or of none. */
function runnerOf(skill: Skill | null) {
  return {
    run: (key: string, text: string, given: SkillContext) =>
      new SkillRunner().run(key === skill?.key ? skill : null, key, text, given),
  };
}

function context(signal: AbortSignal = new AbortController().signal): SkillContext {
  return {
    companyId: 'company',
    memberId: 'member',
    role: 'MEMBER',
    conversationId: 'conversation',
    turnId: 'turn',
    questionId: 'question',
    documentIds: [],
    callId: 'call',
    language: 'fr',
    assistantKey: 'mefali',
    signal,
    progress: () => undefined,
  };
}

function resultOf(run: Run, text = '{}') {
  return runnerOf(skillOf(run)).run('look', text, context());
}
function giving(value: JsonValue) {
  return resultOf(() => Promise.resolve(value));
}
function never(): Promise<never> {
  return new Promise(() => {});
}

describe('a skill call', () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  const checkUnhandled = async (): Promise<void> => {
    // Unhandled rejections are reported after a round's microtasks.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled.splice(0)).toEqual([]);
  };
  beforeEach(() => void process.on('unhandledRejection', note));
  afterEach(checkUnhandled);

  it('gives the skill its arguments and context, and the model its result as JSON', async () => {
    const seen: [JsonObject, SkillContext][] = [];
    const outcome = await resultOf((input, given) => {
      seen.push([input, given]);
      return Promise.resolve({ found: [1, 'é'] });
    }, '{"at":"it"}');
    expect(outcome).toEqual({
      status: 'SUCCEEDED',
      result: '{"found":[1,"é"]}',
      preview: '{"found":[1,"é"]}',
    });
    expect(seen[0]?.[0]).toEqual({ at: 'it' });
    expect(seen[0]?.[1]).toMatchObject({
      ...context(),
      signal: expect.any(AbortSignal),
      progress: expect.any(Function),
    });
  });

  it('keeps the whole result for people where the model is given less', async () => {
    const answering = (details: JsonValue) =>
      resultOf(() => Promise.resolve(new SkillAnswer({ summary: 'Two of three.' }, details)));
    expect(await answering([1, 2, 3])).toEqual({
      status: 'SUCCEEDED',
      result: '{"summary":"Two of three."}',
      preview: 'Two of three.',
      details: [1, 2, 3],
    });
    expect((await giving([1])).details).toBeUndefined();
    const tooLong = await answering('é'.repeat(600_000));
    expect(tooLong).toMatchObject({ status: 'SUCCEEDED', result: '{"summary":"Two of three."}' });
    expect(tooLong.details).toBeUndefined();
    expect(String(tooLong.cause)).toContain('1200002 bytes');
  });

  it('shows people the skill’s own summary, or the beginning', async () => {
    expect(await giving({ summary: 'Forty-two.', rows: [] })).toMatchObject({ preview: 'Forty-two.' });
    const { preview } = await giving('a'.repeat(1_000));
    expect(preview).toHaveLength(300);
    expect(preview.endsWith('…')).toBe(true);
  });

  it('never parts a character when it cuts', async () => {
    for (const shift of ['', 'a']) {
      const { preview } = await giving({ summary: `${shift}${'😀'.repeat(300)}` });
      expect(preview.isWellFormed()).toBe(true);
    }
  });

  it('cuts a result that is too long, and says so', async () => {
    const { status, result } = await giving('a'.repeat(2_600_000));
    expect(status).toBe('SUCCEEDED');
    const { note: words, beginning } = JSON.parse(result) as { note: string; beginning: string };
    expect(words).toContain('2600002 characters');
    expect(beginning).toHaveLength(400_000);
  });

  it('leaves a long result whole, for the loop to cut between its elements', async () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => `row ${row} ${'x'.repeat(40)}`);
    const { result } = await giving(rows);
    expect(result.length).toBeGreaterThan(1_000_000);
    expect(JSON.parse(result)).toEqual(rows);
  });

  it.each([
    ['look', '{', 'not a JSON object', badArguments],
    ['look', '{"at":7}', 'at must be string', badArguments],
    ['lok', '{}', 'Aucun outil lok', 'Aucun outil lok'],
  ])('of %s with %s fails in words for the model, and others for people', async (key, text, words, shown) => {
    const outcome = await runnerOf(skillOf(never)).run(key, text, context());
    expect(outcome.status).toBe('FAILED');
    expect((JSON.parse(outcome.result) as { error: string }).error).toContain(words);
    expect(outcome.preview).toContain(shown);
    expect(outcome.cause).toBeUndefined();
  });

  it.each(['FAILED', 'IN_DOUBT', 'UNREADABLE', 'NO_ACCESS'] as const)(
    'tells people in their language of a service elsewhere: %s',
    async (fault) => {
      const outcome = await resultOf(() => Promise.reject(new ServiceError('Status 503.', fault)));
      expect(outcome).toEqual({
        status: 'FAILED',
        result: '{"error":"Status 503."}',
        preview: wordingIn('fr').skillRefusals.service[fault],
      });
    },
  );

  it('passes on what a skill says for the model', async () => {
    const outcome = await resultOf(() => Promise.reject(new SkillError('Give a year.')));
    expect(outcome).toEqual({
      status: 'FAILED',
      result: '{"error":"Give a year."}',
      preview: 'Give a year.',
    });
  });

  it.each<[string, unknown, Run]>([
    ['rejects', new Error('secret'), () => Promise.reject(new Error('secret'))],
    [
      'throws',
      new Error('secret'),
      () => {
        throw new Error('secret');
      },
    ],
    ['gives nothing', expect.any(TypeError), () => Promise.resolve(undefined as unknown as JsonValue)],
  ])('of a skill that %s tells the log why, and the model only that', async (_, cause, run) => {
    const outcome = await resultOf(run);
    expect(outcome).toMatchObject({ status: 'FAILED', cause });
    expect(outcome.result + outcome.preview).not.toContain('secret');
  });

  it('is over after the skill’s time, also when the skill does not heed its signal', async () => {
    const signals: AbortSignal[] = [];
    const skill = skillOf((_, { signal }) => {
      signals.push(signal);
      return never();
    }, 20);
    // The timer alone does not keep the process alive, nor does anything else here.
    const awake = setInterval(() => {}, 1_000);
    const outcome = await runnerOf(skill).run('look', '{}', context());
    clearInterval(awake);
    expect(outcome).toMatchObject({
      status: 'FAILED',
      preview: 'L’outil a dépassé ses 0.02 secondes.',
    });
    expect(signals[0]?.aborted).toBe(true);
  });

  it('that fails after its time is over is not heard of again', async () => {
    const late = Promise.withResolvers<never>();
    const awake = setInterval(() => {}, 1_000);
    const outcome = await runnerOf(skillOf(() => late.promise, 20)).run('look', '{}', context());
    clearInterval(awake);
    late.reject(new Error('too late'));
    expect(outcome).toMatchObject({ status: 'FAILED' });
    expect(outcome.cause).toBeUndefined();
  });

  it.each([
    ['hangs', never],
    [
      'heeds it',
      (_: JsonObject, { signal }: SkillContext) =>
        new Promise<never>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('other words')));
        }),
    ],
  ])('rejects with the reason when its turn is aborted and the skill %s', async (_, run: Run) => {
    const controller = new AbortController();
    const reason = new Error('Enough.');
    const running = runnerOf(
      skillOf((input, given) => {
        setImmediate(() => controller.abort(reason));
        return run(input, given);
      }),
    ).run('look', '{}', context(controller.signal));
    await expect(running).rejects.toBe(reason);
  });

  it('of an aborted turn does not begin', async () => {
    const reason = new Error('Enough.');
    let begun = 0;
    const skill = skillOf(() => {
      begun += 1;
      return Promise.resolve(1);
    });
    await expect(runnerOf(skill).run('look', '{}', context(AbortSignal.abort(reason)))).rejects.toBe(reason);
    expect(begun).toBe(0);
  });
});
