export interface ReaderLimits {
  /** The limit of the time spent waiting for the process. Time in which nobody waits does not count. */
  timeoutMs: number;
  memoryMegabytes: number;
}

/** To the launcher. `id` names one process that reads. */
export type LauncherOrder = { id: number } & (
  | { type: 'start'; module: string; limits: ReaderLimits }
  /** A frame for the process, answered by `taken`. */
  | { type: 'frame'; bytes: Uint8Array }
  /** Asks for its next message, answered by `message` or `end`. */
  | { type: 'next' }
  /** Answered by `end`. */
  | { type: 'kill' }
);

/** How a process has ended. */
export interface ReaderEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** It was killed because of its memory. */
  isTooLarge: boolean;
  /** The beginning of its error output. */
  complaint: string;
}

/** From the launcher. There is one `end`, the last. */
export type LauncherReport = { id: number } & (
  | { type: 'taken' }
  /** As the process wrote it, unchecked. */
  | { type: 'message'; bytes: Uint8Array }
  | ({ type: 'end' } & ReaderEnd)
);
