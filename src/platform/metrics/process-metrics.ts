import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectDefaultMetrics, Gauge } from 'prom-client';
import { PROJECT_ROOT } from '../../../config/paths.js';
import type { Lifecycle } from '../lifecycle.js';
import type { Metrics } from './metrics.js';

/** Tells of the process itself: CPU, memory, garbage, delay of the event loop, release, role, readiness. It measures from here on. */
export function measureProcess(metrics: Metrics, role: string, lifecycle: Lifecycle): void {
  collectDefaultMetrics({ register: metrics.registry });
  // gauges with the names of counters, and the sums of what nodejs_active_* tell by type
  for (const kind of ['handles', 'requests', 'resources'])
    metrics.registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  const { version } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')) as { version: string };
  new Gauge({
    ...metrics.described('build_info', 'Release and role of the process; always 1.'),
    labelNames: ['version', 'role'],
  }).set({ version, role }, 1);
  metrics.gauge('ready', 'Whether the process has started and is not stopping.', () => Number(lifecycle.ready));
}
