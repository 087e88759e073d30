/** Loads a server as it was built, opens and closes its tracing, and prints which of OpenTelemetry's packages that has loaded. */
import { registerHooks } from 'node:module';

const loaded = new Set();
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const [, name] = /node_modules\/(@opentelemetry\/[\w-]+)\//.exec(resolved.url) ?? [];
    if (name) loaded.add(name);
    return resolved;
  },
});

const { readConfig } = await import('../../dist/common/config/read-config.js');
const { openTracing } = await import('../../dist/platform/tracing/open-tracing.js');
await import('../../dist/app/server.js');
const tracing = await openTracing(readConfig().tracing);
tracing.receive(null)?.begin('work')?.end();
await tracing.close();
process.stdout.write(JSON.stringify([...loaded].toSorted()));
