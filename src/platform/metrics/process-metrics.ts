import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectDefaultMetrics, Gauge } from 'prom-client';
import { PROJECT_ROOT } from '../../../config/paths.js';
import type { Lifecycle } from '../lifecycle.js';
import type { Metrics } from './metrics.js';

/** Starts measuring the process itself: CPU, memory, garbage collection, event loop delay, release, role, readiness. */
export function measureProcess(metrics: Metrics, role: string, lifecycle: Lifecycle): void {
  collectDefaultMetrics({ register: metrics.registry });
  // gauges named like counters, and only the sums of nodejs_active_*, which are broken down by type
  for (const kind of ['handles', 'requests', 'resources'])
    metrics.registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  const { version } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')) as { version: string };
  new Gauge({
    ...metrics.described('build_info', 'Release and role of the process; always 1.'),
    labelNames: ['version', 'role'],
  }).set({ version, role }, 1);
  metrics.gauge('ready', 'Whether the process has started and is not stopping.', () => Number(lifecycle.ready));
}
