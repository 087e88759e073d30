import type { JsonObject } from '../../common/json.js';
import type { AnalysisPiece } from '../../documents/analysis/analysis-piece.entity.js';
import type { TaskFailure, TaskOutcome } from '../upkeep/task-model.service.js';
import { isOpen } from './findings/stored-findings.js';

/** Why some pieces were left. */
export type LeftFor = Extract<TaskFailure, 'SPENT' | 'UNREACHABLE'> | 'TIME';

/** What it takes to work through pieces. */
export interface SliceWork {
  read(piece: AnalysisPiece, signal: AbortSignal): Promise<TaskOutcome<JsonObject>>;
  /** Null: nothing that could be used. */
  store(piece: AnalysisPiece, findings: JsonObject | null): Promise<void>;
  isOverdue(): boolean;
}

/**
 * Works through the pieces that are open, some at a time, and notes in them what was found. Gives why some were left;
 * null: none was. Rejects when something else goes wrong, once nothing is under way any more.
 */
export const workThrough = async (
  pieces: readonly AnalysisPiece[],
  work: SliceWork,
  { atATime, signal }: { atATime: number; signal: AbortSignal },
): Promise<LeftFor | null> => {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const underWay = new Set<AnalysisPiece>();
  const left: LeftFor[] = [];
  const goOn = async (): Promise<void> => {
    while (left.length === 0) {
      either.throwIfAborted();
      const piece = pieces.find((each) => isOpen(each) && !underWay.has(each));
      if (!piece) return;
      if (work.isOverdue()) return void left.push('TIME');
      underWay.add(piece);
      const { value, failure } = await work.read(piece, either);
      if (failure === 'SPENT' || failure === 'UNREACHABLE') return void left.push(failure);
      await work.store(piece, value);
      note(piece, value);
      underWay.delete(piece);
    }
  };
  const workers = Array.from({ length: atATime }, () =>
    goOn().catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  await Promise.allSettled(workers);
  // The first failure is the one that has ended the others.
  if (failed.signal.aborted) throw failed.signal.reason;
  return left[0] ?? null;
};

const note = (piece: AnalysisPiece, findings: JsonObject | null): void => {
  Object.assign(piece, findings === null ? { failures: piece.failures + 1 } : { findings });
};
