import { spansOf } from './turn-spans.js';
import type { TurnDetails } from './turns-operations.js';

const turn: TurnDetails = {
  id: '1',
  status: 'RUNNING',
  finishReason: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  startedAt: '2026-01-01T00:00:01.000Z',
  finishedAt: null,
  error: null,
  usage: {
    inputTokens: 1,
    cachedInputTokens: 0,
    outputTokens: 1,
    modelCalls: 1,
    skillCalls: 1,
    costUsd: null,
  },
  modelCalls: [
    {
      id: 'model',
      at: '2026-01-01T00:00:01.500Z',
      durationMs: 500,
      purpose: 'ANSWER',
      model: 'm',
      outcome: 'tool-calls',
      inputTokens: 1,
      outputTokens: 1,
      costUsd: null,
    },
  ],
  skillCalls: [
    {
      id: 'skill',
      skill: 'remember',
      status: 'RUNNING',
      startedAt: '2026-01-01T00:00:02.000Z',
      finishedAt: null,
    },
  ],
};

function timesOf(of: TurnDetails): [string, number, number][] {
  const now = Date.parse('2026-01-01T00:00:05.000Z');
  return spansOf(of, now).map(({ id, startMs, durationMs }) => [id, startMs, durationMs]);
}

it('lets what runs last until now', () => {
  expect(timesOf(turn)).toEqual([
    ['queue', 0, 1000],
    ['model', 1500, 500],
    ['skill', 2000, 3000],
  ]);
});

it('lets what never ended last until the end of the turn', () => {
  const ended = { ...turn, finishedAt: '2026-01-01T00:00:03.000Z' };
  expect(timesOf(ended).at(-1)).toEqual(['skill', 2000, 1000]);
  expect(timesOf({ ...ended, startedAt: null, modelCalls: [], skillCalls: [] })).toEqual([
    ['queue', 0, 3000],
  ]);
});
