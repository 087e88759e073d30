import type { MemoryKind } from './memory.entity.js';

/** Some memories: of these kinds, and noted in these days. */
export interface MemoryRange {
  kinds: readonly MemoryKind[];
  /** Noted then or later. */
  from: Date;
  /** Noted earlier than that. */
  before: Date;
}
