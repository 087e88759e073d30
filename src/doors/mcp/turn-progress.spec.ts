import { TurnProgress } from './turn-progress.js';

describe('while nothing is heard of a turn', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('tells a client that it goes on, within its minute, and of the turn first', async () => {
    const notify = vi.fn<(notice: { params: object }) => Promise<void>>(async () => undefined);
    const request = { _meta: { progressToken: 7 }, signal: new AbortController().signal, notify };
    const progress = new TurnProgress('the-turn', request as never);
    {
      using _ = progress.beating();
      await vi.advanceTimersByTimeAsync(59_000);
    }
    await vi.advanceTimersByTimeAsync(600_000);
    expect(notify.mock.calls.map(([{ params }]) => params)).toEqual([
      { progressToken: 7, progress: 1, message: 'turnId: the-turn' },
      { progressToken: 7, progress: 2 },
    ]);
  });
});
