import { wordingIn } from '../../common/wording/wording.js';
import { TurnProgress } from './turn-progress.js';

describe('while nothing is heard of a turn', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('tells a client that it goes on, within its minute, and of the turn first', async () => {
    const notify = vi.fn<(notice: { params: object }) => Promise<void>>(async () => undefined);
    const request = { _meta: { progressToken: 7 }, signal: new AbortController().signal, notify };
    const progress = new TurnProgress('the-turn', request as never, async () => wordingIn('fr').doors);
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

it('says what a turn does in the words of its assistant', async () => {
  const notify = vi.fn<(notice: { params: { message?: string } }) => Promise<void>>(async () => undefined);
  const request = { _meta: { progressToken: 7 }, signal: new AbortController().signal, notify };
  const progress = new TurnProgress('the-turn', request as never, async () => wordingIn('es').doors);
  const event = { turnId: 'the-turn', sequence: 1, at: new Date(0) };
  await progress.tell({ ...event, type: 'skill-started', callId: 'c', skill: 'recall', arguments: {} });
  await progress.tell({ ...event, type: 'sources-found', sources: [] });
  expect(notify.mock.calls.map(([{ params }]) => params.message)).toEqual([
    'turnId: the-turn',
    'Llama a recall',
    '0 fuentes',
  ]);
});
