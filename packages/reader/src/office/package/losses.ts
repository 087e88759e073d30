import { DocumentRefused } from '../../parsed-document.js';
import { remark, type Remark, type RemarkCode } from '../../remarks.js';

const MAX_WARNINGS = 20;

/** Collects what is lost or doubtful in a file, for the warnings at the end. */
export class Losses {
  private readonly remarks = new Map<string, Remark>();
  private readonly counts = new Map<RemarkCode, number>();

  /** Repetitions are dropped. */
  add(lost: RemarkCode | Remark): void {
    const told = typeof lost === 'string' ? remark(lost) : lost;
    if (this.remarks.size < MAX_WARNINGS) this.remarks.set(JSON.stringify(told), told);
  }

  /** Counts occurrences of what has one remark with their count. */
  count(lost: RemarkCode, more = 1): void {
    this.counts.set(lost, (this.counts.get(lost) ?? 0) + more);
  }

  warnings(): Remark[] {
    const counted = [...this.counts].filter(([, count]) => count > 0);
    return [...counted.map(([code, count]) => remark(code, { count })), ...this.remarks.values()].slice(
      0,
      MAX_WARNINGS,
    );
  }
}

/** Yields what precedes a damaged place, and adds a warning. Throws if nothing precedes it. */
export function* untilBroken<Item>(items: Iterable<Item>, losses: Losses): Generator<Item> {
  let hasCome = false;
  try {
    for (const item of items) {
      hasCome = true;
      yield item;
    }
  } catch (error) {
    if (!hasCome || error instanceof DocumentRefused) throw error;
    losses.add('BROKEN_OFF');
  }
}
