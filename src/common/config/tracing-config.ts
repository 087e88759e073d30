import { hostname } from 'node:os';

import { z } from 'zod';

import { decimalNumber, type Environment, httpUrl, optionalText, wholeNumber } from './environment.js';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const exporters = ['otlp', 'none'] as const;

function choice<const Value extends string>(values: readonly Value[], fallback: NoInfer<Value>) {
  return z
    .enum(values, `one of ${values.join(', ')}`)
    .optional()
    .default(fallback);
}

/** `name=value` separated by commas, as OpenTelemetry has it: values are percent-encoded. */
function pairList() {
  return z
    .string()
    .max(10_000, 'at most 10000 characters long')
    .optional()
    .transform((text, context): Record<string, string> => {
      const pairs = (text?.split(',') ?? []).map((pair) => /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(pair));
      try {
        return Object.fromEntries(
          pairs.map((pair) => {
            if (!pair) throw new Error('This is no pair.');
            return [pair[1], decodeURIComponent(pair[2] ?? '')];
          }),
        );
      } catch {
        context.addIssue('pairs of name=value with commas between them, percent-encoded');
        return z.NEVER;
      }
    });
}

/** OpenTelemetry's own: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/. */
export const tracingVariables = {
  OTEL_SDK_DISABLED: choice(['true', 'false'], 'false'),
  OTEL_SERVICE_NAME: optionalText(),
  OTEL_RESOURCE_ATTRIBUTES: pairList(),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl(),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: httpUrl(),
  OTEL_EXPORTER_OTLP_HEADERS: pairList(),
  OTEL_EXPORTER_OTLP_PROTOCOL: choice(['http/protobuf'], 'http/protobuf'),
  OTEL_TRACES_EXPORTER: choice(exporters, 'otlp'),
  OTEL_METRICS_EXPORTER: choice(exporters, 'otlp'),
  OTEL_TRACES_SAMPLER: choice(samplers, 'parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: decimalNumber(0, 1, 1),
  OTEL_METRIC_EXPORT_INTERVAL: wholeNumber(1_000, 3_600_000, 60_000),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: choice(['true', 'false'], 'false'),
};

type TracingVariables = z.infer<z.ZodObject<typeof tracingVariables>>;

/** Null: nothing is exported. */
export function toTracingConfig(given: TracingVariables & { ROLE: string }) {
  const base = given.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '') ?? null;
  const urlOf = (own: string | null, path: string, exporter: 'otlp' | 'none'): string | null =>
    exporter === 'none' ? null : (own ?? (base && `${base}/v1/${path}`));
  const tracesUrl = urlOf(given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, 'traces', given.OTEL_TRACES_EXPORTER);
  const metricsUrl = urlOf(given.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT, 'metrics', given.OTEL_METRICS_EXPORTER);
  if (given.OTEL_SDK_DISABLED === 'true' || (tracesUrl === null && metricsUrl === null)) return null;
  return {
    /** Null: no traces are exported. */
    tracesUrl,
    /** Null: no metrics are exported. */
    metricsUrl,
    headers: given.OTEL_EXPORTER_OTLP_HEADERS,
    metricIntervalMs: given.OTEL_METRIC_EXPORT_INTERVAL,
    sampler: { name: given.OTEL_TRACES_SAMPLER, ratio: given.OTEL_TRACES_SAMPLER_ARG },
    /** What the process is called in traces. */
    resource: {
      'service.instance.id': `${hostname()}-${process.pid}`,
      'palabre.role': given.ROLE,
      ...given.OTEL_RESOURCE_ATTRIBUTES,
      'service.name': given.OTEL_SERVICE_NAME ?? given.OTEL_RESOURCE_ATTRIBUTES['service.name'] ?? 'palabre',
    } as Readonly<Record<string, string>>,
    /** What is said may be exported too. */
    capturesContent: given.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT === 'true',
  };
}

export type TracingConfig = NonNullable<ReturnType<typeof toTracingConfig>>;

/** That nobody thinks their traces are sent which are not. */
export function checkTracing(given: Environment): string[] {
  const isOff = given.OTEL_SDK_DISABLED === 'true';
  const hasPlace = Object.keys(given).some((name) => /^OTEL_EXPORTER_OTLP_(\w+_)?ENDPOINT$/.test(name));
  const asks = given.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT === 'true';
  return asks && !isOff && !hasPlace
    ? [
        'OTEL_EXPORTER_OTLP_ENDPOINT must be set, as OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT is true.',
      ]
    : [];
}
