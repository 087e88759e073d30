import type { ExportedMetric } from './semantic-names.js';
import type { Attributes, Span } from './span.js';

/** Where traces and the metrics of models go. Nothing of it is loaded unless the operator names a place. */
export abstract class Tracing {
  /**
   * What somebody has asked for with this `traceparent`, of which anything may be sent: spans begun below it belong to
   * that trace, or to one of their own. Null: nothing is traced.
   */
  abstract receive(traceparent: unknown): Span | null;
  /** Null: metrics are not exported. */
  abstract readonly measure: ((name: ExportedMetric, value: number, attributes: Attributes) => void) | null;
  /** Sends what has not been sent yet. Never rejects. */
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
