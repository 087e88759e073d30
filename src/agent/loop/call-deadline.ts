import type { TextSink } from '@palabre/llm-client';

import type { TurnEntry } from '../../conversations/turns/turn-event.js';
import { type AgentRun, runTimer, TimeOver } from './agent-run.js';
import { callModel, type ModelCall, type Said } from './model-call.js';

/** A call that was stopped to leave time for the answer. */
interface Stopped {
  stopped: true;
  /** Whether the member has seen text or reasoning of it. */
  hasShown: boolean;
}

/** The share of the answer's time after which a silent text no longer counts as an answer in progress. */
const QUIET_SHARE = 1 / 3;

/** Aborts the call when the answer's time begins, an answer in progress only when it falls silent. Shown text stays. */
export async function* callModelBeforeDeadline(
  run: AgentRun,
  call: ModelCall,
): AsyncGenerator<TurnEntry, Said | Stopped> {
  const over = new AbortController();
  const text = new ShownText(run);
  const timed = {
    ...run,
    ports: { ...run.ports, text },
    signal: AbortSignal.any([run.signal, over.signal]),
  };
  const release = afterDeadlineOnceSilent(run, text, () =>
    over.abort(new TimeOver('The time is kept for the answer.')),
  );
  const entries = callModel(timed, call);
  try {
    for (;;) {
      const next = await entries.next();
      if (next.done) return next.value;
      text.note(next.value);
      yield next.value;
    }
  } catch (error) {
    if (run.signal.aborted || !over.signal.aborted) throw error;
    return { stopped: true, hasShown: text.isThere || text.hasReasoning };
  } finally {
    release();
    run.historyDropped = timed.historyDropped;
  }
}

/** The visible text of a call, on its way to the sink or among the entries. */
class ShownText implements TextSink {
  isThere = false;
  hasReasoning = false;
  private lastMs = -Infinity;

  constructor(private readonly run: Pick<AgentRun, 'ports'>) {}

  note(entry: TurnEntry): void {
    if (entry.type === 'text-reset') this.isThere = this.hasReasoning = false;
    if (entry.type === 'reasoning-delta') this.hasReasoning = true;
    if (entry.type === 'text-delta') this.add(entry.text);
  }

  get isReady(): boolean {
    return this.run.ports.text.isReady;
  }

  take(text: string): void {
    this.add(text);
    this.run.ports.text.take(text);
  }

  /** The time since text was last added. Infinite without text. */
  get quietMs(): number {
    return this.isThere ? this.nowMs - this.lastMs : Infinity;
  }

  private add(text: string): void {
    this.isThere ||= text.trim() !== '';
    this.lastMs = this.nowMs;
  }

  private get nowMs(): number {
    return this.run.ports.clock.now().getTime();
  }
}

/** Calls back once the time for skills is over and `text` no longer grows. */
function afterDeadlineOnceSilent(run: AgentRun, text: ShownText, callback: () => void): () => void {
  const { skillsLeftMs, leftMs } = run.phase;
  const mostQuietMs = QUIET_SHARE * (leftMs - skillsLeftMs);
  const look = (): void => {
    const { quietMs } = text;
    if (quietMs >= mostQuietMs) callback();
    else release = runTimer(run, mostQuietMs - quietMs, look);
  };
  let release = runTimer(run, skillsLeftMs, look);
  return () => release();
}
