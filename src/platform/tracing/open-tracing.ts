import type { TracingConfig } from '../../common/config/config.js';
import { NoTracing, type Tracing } from './tracing.js';

export async function openTracing(config: TracingConfig | null): Promise<Tracing> {
  if (config === null) return new NoTracing();
  const { exportingTracing } = await import('./open-telemetry.js');
  return exportingTracing(config);
}
