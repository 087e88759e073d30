import {
  type Attributes as SdkAttributes,
  type Context,
  type Counter,
  type Histogram,
  isSpanContextValid,
  type Meter,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, type MetricReader, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

import type { TracingConfig } from '../../common/config/config.js';
import { redactLine } from '../../common/process/logger.js';
import { attribute, type ExportedMetric, exportedMetrics } from './semantic-names.js';
import type { AttributeName, Attributes, Span, SpanOptions } from './span.js';
import { Tracing } from './tracing.js';

const SCOPE = 'palabre';
/** Message texts may be long: a prompt has up to a megabyte. */
const MAX_VALUE_CHARACTERS = 32_000;
const CLOSE_MS = 3_000;

const kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT };

/** Exports to the addresses in `config`, by OTLP over HTTP. */
export function exportingTracing(config: TracingConfig): OpenTelemetry {
  const { tracesUrl, metricsUrl, headers } = config;
  return new OpenTelemetry(config, {
    spanProcessors:
      tracesUrl === null
        ? []
        : [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: tracesUrl, headers }) })],
    readers:
      metricsUrl === null
        ? []
        : [
            new PeriodicExportingMetricReader({
              exporter: new OTLPMetricExporter({ url: metricsUrl, headers }),
              exportIntervalMillis: config.metricIntervalMs,
              exportTimeoutMillis: config.metricIntervalMs,
            }),
          ],
  });
}

/** Tracing by OpenTelemetry's SDK. Nothing is registered globally, because a process may run several servers. */
export class OpenTelemetry extends Tracing {
  readonly measure: Tracing['measure'];
  private readonly spanProvider: TracerProvider;
  private readonly metricProvider: MeterProvider;
  private readonly root: TracedSpan | null;

  constructor(
    config: Pick<TracingConfig, 'resource' | 'sampler' | 'capturesContent'>,
    { spanProcessors, readers }: { spanProcessors: SpanProcessor[]; readers: MetricReader[] },
  ) {
    super();
    const resource = resourceFromAttributes(config.resource);
    this.spanProvider = new TracerProvider({
      resource,
      spanProcessors,
      sampler: samplerOf(config.sampler),
      spanLimits: { attributeValueLengthLimit: MAX_VALUE_CHARACTERS },
    });
    this.metricProvider = new MeterProvider({ resource, readers });
    const source = {
      tracer: this.spanProvider.getTracer(SCOPE),
      capturesContent: config.capturesContent,
    };
    this.root = spanProcessors.length > 0 ? new TracedSpan(source, ROOT_CONTEXT, null) : null;
    this.measure = readers.length > 0 ? measuring(this.metricProvider.getMeter(SCOPE)) : null;
  }

  receive(traceparent: unknown): Span | null {
    const context = contextOf(traceparent);
    return (context && this.root?.of(context)) ?? this.root;
  }

  async close(): Promise<void> {
    // An unavailable collector must not keep the process alive.
    const limit = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
    const closing = Promise.allSettled([this.spanProvider.shutdown(), this.metricProvider.shutdown()]);
    await Promise.race([closing, limit]);
  }
}

class TracedSpan implements Span {
  readonly traceparent: string | null;
  private isOver = false;

  /** `span`: null for a new trace, and for another process's span. */
  constructor(
    private readonly source: { tracer: Tracer; capturesContent: boolean },
    private readonly context: Context,
    private readonly span: SdkSpan | null,
  ) {
    const { traceId, spanId, traceFlags } = trace.getSpanContext(context) ?? {};
    const flags = (traceFlags ?? 0).toString(16).padStart(2, '0');
    this.traceparent = traceId === undefined ? null : `00-${traceId}-${spanId}-${flags}`;
  }

  /** A span that began elsewhere. */
  of(remote: SpanContext): TracedSpan {
    return new TracedSpan(this.source, trace.setSpanContext(this.context, remote), null);
  }

  begin(
    name: string,
    { kind = 'internal', attributes = {}, startedAt, link }: SpanOptions = {},
  ): Span | null {
    if (this.isOver) return null;
    const linked = contextOf(link);
    const options = {
      kind: kinds[kind],
      attributes: sdkAttributesOf(attributes),
      ...(startedAt !== undefined && { startTime: startedAt }),
      ...(linked && { links: [{ context: linked }] }),
    };
    const span = this.source.tracer.startSpan(name, options, this.context);
    return new TracedSpan(this.source, trace.setSpan(this.context, span), span);
  }

  rename(name: string): void {
    this.span?.updateName(name);
  }

  set(attributes: Attributes): void {
    this.span?.setAttributes(sdkAttributesOf(attributes));
  }

  setContent(name: AttributeName, content: () => unknown): void {
    if (!this.source.capturesContent || !this.span?.isRecording()) return;
    this.span.setAttribute(attribute[name], redactLine(JSON.stringify(content()) ?? '').trimEnd());
  }

  end(error?: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    // The message may contain user text.
    if (error !== undefined) this.span?.setAttribute(attribute.errorType, typeOf(error));
    if (error !== undefined) this.span?.setStatus({ code: SpanStatusCode.ERROR });
    this.span?.end();
  }
}

function typeOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const { code, name } = error as { code?: unknown; name?: unknown };
  return [code, name].find((one) => typeof one === 'string') ?? 'Error';
}

function sdkAttributesOf(attributes: Attributes): SdkAttributes {
  const given = Object.entries(attributes) as [AttributeName, Attributes[AttributeName]][];
  return Object.fromEntries(
    given.filter(([, value]) => value !== undefined).map(([name, value]) => [attribute[name], value]),
  );
}

/** Null: not a `traceparent`. Additions of later versions are ignored. */
function contextOf(traceparent: unknown): SpanContext | null {
  if (typeof traceparent !== 'string' || traceparent.length > 200) return null;
  const pattern = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:$|-)/;
  const [, traceId = '', spanId = '', flags = ''] = pattern.exec(traceparent) ?? [];
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(context) ? context : null;
}

function samplerOf({ name, ratio }: TracingConfig['sampler']): Sampler {
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }[name.replace('parentbased_', '') as 'always_on' | 'always_off' | 'traceidratio']();
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function measuring(meter: Meter): NonNullable<Tracing['measure']> {
  const instruments = new Map<string, Counter | Histogram>(
    Object.entries(exportedMetrics).map(([name, { unit, buckets }]) => [
      name,
      buckets === null
        ? meter.createCounter(name, { unit })
        : meter.createHistogram(name, { unit, advice: { explicitBucketBoundaries: [...buckets] } }),
    ]),
  );
  return (name: ExportedMetric, value, attributes) => {
    const instrument = instruments.get(name);
    if (!instrument) return;
    if ('add' in instrument) instrument.add(value, sdkAttributesOf(attributes));
    else instrument.record(value, sdkAttributesOf(attributes));
  };
}
