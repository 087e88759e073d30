import type { ExportedMetric } from './semantic-names.js';
import type { Attributes, Span } from './span.js';

/** The export of traces and model metrics. Nothing is loaded unless the operator sets an address. */
export abstract class Tracing {
  /**
   * The caller with this `traceparent`, which may be anything. Spans begun below it belong to its trace, or to a new
   * one. Null: no tracing.
   */
  abstract receive(traceparent: unknown): Span | null;
  /** Null: metrics are not exported. */
  abstract readonly measure: ((name: ExportedMetric, value: number, attributes: Attributes) => void) | null;
  /** Sends what is still pending. Never rejects. */
  abstract close(): Promise<void>;
}

export class NoTracing extends Tracing {
  readonly measure = null;

  receive(): null {
    return null;
  }

  async close(): Promise<void> {
    return undefined;
  }
}
