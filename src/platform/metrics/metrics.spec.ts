import { type CountedModelCall, Metrics } from './metrics.js';

const call: CountedModelCall = {
  model: 'm',
  purpose: 'ANSWER',
  outcome: 'stop',
  seconds: 1,
  inputTokens: 10,
  outputTokens: 2,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  costUsd: null,
};

async function linesOf(metrics: Metrics, name: string): Promise<string[]> {
  return (await metrics.write()).text.split('\n').filter((line) => line.startsWith(name));
}

it('tells a failed model call by its code, and no other', async () => {
  const metrics = new Metrics();
  metrics.modelCalled(call);
  metrics.modelCalled({ ...call, outcome: 'MODEL_UNAVAILABLE' });
  expect(await linesOf(metrics, 'gen_ai_client_operation_duration_seconds_count')).toEqual([
    expect.stringMatching(/error_type=""\} 1$/),
    expect.stringMatching(/error_type="MODEL_UNAVAILABLE"\} 1$/),
  ]);
});

it('counts what is paid, where that is known', async () => {
  const metrics = new Metrics();
  for (const costUsd of [0.25, null, 0.5]) metrics.modelCalled({ ...call, costUsd });
  expect(await linesOf(metrics, 'palabre_model_cost_usd_total{')).toEqual([
    'palabre_model_cost_usd_total{gen_ai_request_model="m"} 0.75',
  ]);
});

it('has no more series than so many, whatever people call models', async () => {
  const metrics = new Metrics();
  for (let index = 0; index < 200; index += 1) metrics.modelCalled({ ...call, model: `m"\n${index}` });
  const lines = await linesOf(metrics, 'gen_ai_client_operation_duration_seconds_count');
  expect(lines).toHaveLength(51);
  expect(lines.at(-1)).toMatch(/gen_ai_request_model="other".* 150$/);
});

it('reads what is watched when it is asked for, and forgets what is gone', async () => {
  const metrics = new Metrics();
  let reading = [{ labels: { of: 'a' }, value: 1 }];
  metrics.watch('watched', 'For this test.', ['of'], () => reading);
  expect(await linesOf(metrics, 'watched')).toEqual(['watched{of="a"} 1']);
  reading = [{ labels: { of: 'b' }, value: 2 }];
  expect(await linesOf(metrics, 'watched')).toEqual(['watched{of="b"} 2']);
});

it.each([[], ['of']])('leaves out what cannot be read, and has the rest (%j)', async (...labels) => {
  const metrics = new Metrics();
  let reading = (): Promise<number> => Promise.resolve(3);
  metrics.watch('far', 'For this test.', [], () => reading());
  metrics.watch('broken', 'For this test.', labels, () => Promise.reject(new Error('away')));
  expect(await linesOf(metrics, 'far')).toEqual(['far 3']);
  reading = () => Promise.reject(new Error('away'));
  expect(await linesOf(metrics, 'far')).toEqual([]);
  expect(await linesOf(metrics, 'broken')).toEqual([]);
});

it('reads what is far once for all who ask at the same time: anybody may', async () => {
  const metrics = new Metrics();
  const answer = Promise.withResolvers<number>();
  let readings = 0;
  metrics.watch('far', 'For this test.', [], () => {
    readings += 1;
    return answer.promise;
  });
  const asked = Array.from({ length: 20 }, () => linesOf(metrics, 'far'));
  answer.resolve(7);
  expect(new Set((await Promise.all(asked)).flat())).toEqual(new Set(['far 7']));
  expect(readings).toBe(1);
  await linesOf(metrics, 'far');
  expect(readings).toBe(2);
});
