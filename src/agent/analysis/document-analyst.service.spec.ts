import type { AnalysisPiece } from '../../documents/analysis/analysis.repository.js';
import type { TaskFailure } from '../upkeep/task-model.service.js';
import { type SliceWork, workThrough } from './document-analyst.service.js';

function piecesOf(count: number): AnalysisPiece[] {
  return Array.from({ length: count }, (_, ordinal) => ({
    companyId: 'nord',
    analysisId: 'analysis',
    level: 0,
    ordinal,
    firstPart: ordinal,
    lastPart: ordinal,
    failures: 0,
    findings: null,
  }));
}

function start(
  pieces: AnalysisPiece[],
  failureOf: (ordinal: number, time: number) => TaskFailure | null = () => null,
  more: Partial<SliceWork> = {},
) {
  const read: number[] = [];
  const stored: [number, boolean][] = [];
  let underWay = 0;
  const most = { underWay: 0 };
  const work: SliceWork = {
    isOverdue: () => false,
    read: async ({ ordinal }) => {
      most.underWay = Math.max(most.underWay, ++underWay);
      read.push(ordinal);
      await Promise.resolve();
      underWay -= 1;
      const failure = failureOf(ordinal, read.filter((each) => each === ordinal).length);
      return failure === null ? { value: { summary: `${ordinal}` }, failure } : { value: null, failure };
    },
    store: async ({ ordinal }, findings) => void stored.push([ordinal, findings !== null]),
    ...more,
  };
  const go = (signal = new AbortController().signal) => workThrough(pieces, work, { atATime: 2, signal });
  return { read, stored, most, go };
}

describe('working through pieces', () => {
  it('reads each once, two at a time, and notes what was found', async () => {
    const pieces = piecesOf(5);
    const { read, stored, most, go } = start(pieces);
    expect(await go()).toBeNull();
    expect(read.toSorted()).toEqual([0, 1, 2, 3, 4]);
    expect(stored).toHaveLength(5);
    expect(most.underWay).toBe(2);
    expect(pieces.map(({ findings }) => findings?.['summary'])).toEqual(['0', '1', '2', '3', '4']);
  });

  it('leaves out what is done', async () => {
    const pieces = piecesOf(4);
    pieces[1]!.findings = { summary: 'done' };
    pieces[2]!.failures = 2;
    const { read, go } = start(pieces);
    expect(await go()).toBeNull();
    expect(read).toEqual([0, 3]);
  });

  it('asks twice where nothing could be used, and gives it up', async () => {
    const pieces = piecesOf(2);
    const { read, stored, go } = start(pieces, (ordinal) => (ordinal === 0 ? 'UNUSABLE' : null));
    expect(await go()).toBeNull();
    expect(read.toSorted()).toEqual([0, 0, 1]);
    expect(stored.filter(([ordinal]) => ordinal === 0)).toEqual([
      [0, false],
      [0, false],
    ]);
    expect(pieces[0]).toMatchObject({ findings: null, failures: 2 });
  });

  it.each(['SPENT', 'UNREACHABLE'] as const)(
    'stops when it is %s, and stores nothing of it',
    async (failure) => {
      const { read, stored, go } = start(piecesOf(9), (ordinal) => (ordinal === 2 ? failure : null));
      expect(await go()).toBe(failure);
      expect(read.length).toBeLessThan(9);
      expect(stored.map(([ordinal]) => ordinal)).not.toContain(2);
    },
  );

  it('begins nothing once its time is over, unless nothing is left', async () => {
    const overdue = { isOverdue: () => true };
    expect(await start(piecesOf(1), undefined, overdue).go()).toBe('TIME');
    expect(await start([], undefined, overdue).go()).toBeNull();
  });

  it('rejects with what went wrong, after all has stopped', async () => {
    const lost = new Error('lost');
    const signals: AbortSignal[] = [];
    const { go } = start(piecesOf(4), undefined, {
      read: async ({ ordinal }, signal) => {
        signals.push(signal);
        if (ordinal === 0) throw lost;
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('left')), { once: true }),
        );
      },
    });
    await expect(go()).rejects.toBe(lost);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });

  it('rejects with the reason that it is stopped for', async () => {
    const reason = new Error('stopping');
    await expect(start(piecesOf(3)).go(AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
