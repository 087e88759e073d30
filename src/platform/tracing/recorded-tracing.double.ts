import {
  AggregationTemporality,
  InMemoryMetricExporter,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';

import { OpenTelemetry } from './open-telemetry.js';

/** Traces that stay in memory. */
export class RecordedTracing extends OpenTelemetry {
  private readonly exporter: InMemorySpanExporter;
  private readonly metricExporter: InMemoryMetricExporter;
  private readonly reader: PeriodicExportingMetricReader;

  constructor({ capturesContent = false, sampler = 'parentbased_always_on' as const } = {}) {
    const exporter = new InMemorySpanExporter();
    const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({
      exporter: metricExporter,
      exportIntervalMillis: 3_600_000,
    });
    super(
      { resource: { 'service.name': 'test' }, sampler: { name: sampler, ratio: 1 }, capturesContent },
      { spanProcessors: [new SimpleSpanProcessor({ exporter })], readers: [reader] },
    );
    this.exporter = exporter;
    this.metricExporter = metricExporter;
    this.reader = reader;
  }

  /** Ended spans, in order of their start. */
  spans(traceId?: string): ReadableSpan[] {
    return this.exporter
      .getFinishedSpans()
      .filter((span) => traceId === undefined || span.spanContext().traceId === traceId)
      .toSorted((a, b) => a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1]);
  }

  span(name: string): ReadableSpan {
    const found = this.spans().find((span) => span.name === name);
    if (!found)
      throw new Error(
        `There is no span ${name} among ${this.spans()
          .map((span) => span.name)
          .join(', ')}.`,
      );
    return found;
  }

  /** Names of spans, each below its parent. `>`: linked to another. */
  tree(traceId: string): string {
    const spans = this.spans(traceId);
    const ids = new Set(spans.map((span) => span.spanContext().spanId));
    const linesOf = (parent: string | null, depth: number): string[] =>
      spans
        .filter(({ parentSpanContext: context }) =>
          parent === null ? !context || !ids.has(context.spanId) : context?.spanId === parent,
        )
        .flatMap((span) => [
          `${'  '.repeat(depth)}${span.links.length > 0 ? '> ' : ''}${span.name}`,
          ...linesOf(span.spanContext().spanId, depth + 1),
        ]);
    return linesOf(null, 0).join('\n');
  }

  /** The metrics with a value. For a histogram, the number of measurements. */
  async metrics(): Promise<Record<string, number>> {
    await this.reader.forceFlush();
    const all =
      this.metricExporter
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? [];
    return Object.fromEntries(
      all.map(({ descriptor, dataPoints }) => [
        descriptor.name,
        dataPoints.reduce((sum, { value }) => sum + (typeof value === 'number' ? value : value.count), 0),
      ]),
    );
  }
}
