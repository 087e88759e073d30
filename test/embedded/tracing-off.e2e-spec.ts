import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const script = fileURLToPath(new URL('../harness/loaded-modules.js', import.meta.url));

/** Of OpenTelemetry's packages those that a server loads with these settings. */
async function loadedWith(settings: Record<string, string>): Promise<string[]> {
  const env = { PATH: process.env.PATH, ...settings };
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env });
  return JSON.parse(stdout) as string[];
}

it('loads nothing of OpenTelemetry’s SDK unless a place for traces is named', async () => {
  // The names of the API, which prom-client brings, cost nothing.
  expect(await loadedWith({})).not.toContainEqual(expect.stringMatching(/sdk|exporter|resources/));
  const isOff = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' };
  expect(await loadedWith(isOff)).not.toContainEqual(expect.stringMatching(/sdk|exporter|resources/));
});

it('ends in time with a place that is away', async () => {
  const loaded = await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  expect(loaded).toContain('@opentelemetry/sdk-trace');
});
