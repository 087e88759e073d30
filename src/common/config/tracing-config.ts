import { hostname } from 'node:os';

import type { Environment } from './environment.js';
import type { ValuesOf } from './setting.js';
import type { settings } from './variables.js';

type Values = ValuesOf<typeof settings>['tracing'];

/** Null: nothing is exported. */
export function toTracingConfig({ isOff, url, serviceName, attributes, ...given }: Values, role: string) {
  const base = url?.replace(/\/+$/, '') ?? null;
  const urlOf = (signal: 'traces' | 'metrics'): string | null =>
    given[signal].exporter === 'none' ? null : (given[signal].url ?? (base && `${base}/v1/${signal}`));
  const [tracesUrl, metricsUrl] = [urlOf('traces'), urlOf('metrics')];
  if (isOff || (tracesUrl === null && metricsUrl === null)) return null;
  const { headers, metricIntervalMs, sampler, capturesContent } = given;
  return {
    /** Null: no traces are exported. */
    tracesUrl,
    /** Null: no metrics are exported. */
    metricsUrl,
    headers,
    metricIntervalMs,
    sampler,
    /** The name of the process in traces. */
    resource: {
      'service.instance.id': `${hostname()}-${process.pid}`,
      'palabre.role': role,
      ...attributes,
      'service.name': serviceName ?? attributes['service.name'] ?? 'palabre',
    } as Readonly<Record<string, string>>,
    capturesContent,
  };
}

/** Nobody should think that traces are sent if they are not. */
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
