import { readConfig } from './read-config.js';
import { ConfigError } from './environment.js';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };

it.each([
  [{}],
  [{ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }],
  [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }],
])('exports nothing with %j', (env) => expect(readConfig(env).tracing).toBeNull());

it('adds the paths of the protocol to the address, and none to those of their own', () => {
  expect(readConfig(ENDPOINT).tracing).toMatchObject({
    tracesUrl: 'http://collector:4318/v1/traces',
    metricsUrl: 'http://collector:4318/v1/metrics',
    capturesContent: false,
    sampler: { name: 'parentbased_always_on', ratio: 1 },
    resource: { 'service.name': 'palabre', 'palabre.role': 'all' },
  });
  const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces/in', OTEL_METRICS_EXPORTER: 'none' };
  expect(readConfig({ ...ENDPOINT, ...own }).tracing).toMatchObject({
    tracesUrl: 'http://traces/in',
    metricsUrl: null,
  });
});

it('reads pairs, percent-encoded', () => {
  const config = readConfig({
    ...ENDPOINT,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%3Db, x-team = data',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=mefali,team=data',
  });
  expect(config.tracing?.headers).toEqual({ authorization: 'Bearer a=b', 'x-team': 'data' });
  expect(config.tracing?.resource).toMatchObject({ 'service.name': 'mefali', team: 'data' });
});

it.each([
  [
    { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    'OTEL_EXPORTER_OTLP_PROTOCOL must be one of http/protobuf.',
  ],
  [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'secret' }, /^OTEL_EXPORTER_OTLP_HEADERS must be pairs/],
  [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'a=%E0%A4%A' }, /^OTEL_EXPORTER_OTLP_HEADERS must be pairs/],
  [{ ...ENDPOINT, OTEL_TRACES_SAMPLER: 'often' }, /^OTEL_TRACES_SAMPLER must be one of always_on/],
  [
    { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' },
    /^OTEL_EXPORTER_OTLP_ENDPOINT must be set/,
  ],
])('refuses %j', (env, problem) => {
  const read = (): unknown => readConfig(env);
  expect(read).toThrow(ConfigError);
  try {
    read();
  } catch (error) {
    expect((error as ConfigError).problems).toEqual([
      typeof problem === 'string' ? problem : expect.stringMatching(problem),
    ]);
  }
});
