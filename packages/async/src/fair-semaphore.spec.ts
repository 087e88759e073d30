import { FairSemaphore } from './fair-semaphore.js';

const MOST_WAITING = 3;

function semaphoreOf(all: number, ofOne?: number): FairSemaphore {
  return new FairSemaphore(
    { all, ...(ofOne !== undefined && { ofOne }) },
    MOST_WAITING,
    () => new Error('Too many wait.'),
  );
}

/** Tasks that run until they are ended, in order of their start. */
class Tasks {
  readonly begun: string[] = [];
  private readonly ends: (() => void)[] = [];

  constructor(private readonly semaphore: FairSemaphore) {}

  begin(key: string, signal?: AbortSignal): Promise<void> {
    const work = (): Promise<void> => {
      this.begun.push(key);
      return new Promise<void>((resolve) => this.ends.push(resolve));
    };
    return this.semaphore.run(key, work, signal);
  }

  /** Ends the oldest task. */
  async endFirst(): Promise<void> {
    this.ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

it('leaves a place for the others, whatever one of them sends', () => {
  const tasks = new Tasks(semaphoreOf(2));
  for (const key of ['a', 'a', 'a']) void tasks.begin(key);
  expect(tasks.begun).toEqual(['a']);
  void tasks.begin('b');
  expect(tasks.begun).toEqual(['a', 'b']);
});

it('runs of one as many as it may, however many places there are', async () => {
  const tasks = new Tasks(semaphoreOf(Infinity, 2));
  for (const key of ['a', 'a', 'a', 'b', 'b', 'b']) void tasks.begin(key);
  expect(tasks.begun).toEqual(['a', 'a', 'b', 'b']);
  await tasks.endFirst();
  expect(tasks.begun).toEqual(['a', 'a', 'b', 'b', 'a']);
});

it('has those that wait take turns', async () => {
  const tasks = new Tasks(semaphoreOf(1));
  for (const key of ['a', 'a', 'a', 'b', 'c']) void tasks.begin(key);
  for (let ended = 0; ended < 5; ended += 1) await tasks.endFirst();
  expect(tasks.begun).toEqual(['a', 'a', 'b', 'c', 'a']);
});

it('gives a place back when a task fails, and lets the next one of the same key in', async () => {
  const semaphore = semaphoreOf(2);
  const tasks = new Tasks(semaphore);
  const failing = semaphore.run('a', () => Promise.reject(new Error('Broken.')));
  void tasks.begin('a');
  await expect(failing).rejects.toThrow('Broken.');
  await vi.waitFor(() => expect(tasks.begun).toEqual(['a']));
});

it('refuses what is too much of one, and of nobody else', async () => {
  const tasks = new Tasks(semaphoreOf(1));
  for (let count = 0; count <= MOST_WAITING; count += 1) void tasks.begin('a');
  await expect(tasks.begin('a')).rejects.toThrow('Too many wait.');
  const other = tasks.begin('b');
  await tasks.endFirst();
  await tasks.endFirst();
  await tasks.endFirst();
  expect(tasks.begun).toContain('b');
  for (let ended = 0; ended < MOST_WAITING; ended += 1) await tasks.endFirst();
  await other;
});

it('frees the place in line of a task that is called off', async () => {
  const tasks = new Tasks(semaphoreOf(1));
  const leaving = new AbortController();
  const first = tasks.begin('a');
  const left = Array.from({ length: MOST_WAITING }, () => tasks.begin('a', leaving.signal));
  leaving.abort(new Error('The client has left.'));
  const ends = await Promise.allSettled(left);
  expect(ends).toEqual(ends.map(() => ({ status: 'rejected', reason: new Error('The client has left.') })));
  await expect(tasks.begin('a', leaving.signal)).rejects.toThrow('The client has left.');
  const next = tasks.begin('a');
  await tasks.endFirst();
  await first;
  await tasks.endFirst();
  await next;
  expect(tasks.begun).toEqual(['a', 'a']);
});

it('gives back the place of a task that is called off as it is let in', async () => {
  const tasks = new Tasks(semaphoreOf(1));
  const leaving = new AbortController();
  void tasks.begin('a');
  const letIn = tasks.begin('b', leaving.signal);
  await tasks.endFirst();
  leaving.abort();
  await tasks.endFirst();
  await letIn;
  void tasks.begin('c');
  expect(tasks.begun).toEqual(['a', 'b', 'c']);
});
