import { Registry } from 'prom-client';
import { negotiate } from '../http/replies/accept.js';
import type { Metrics } from './metrics.js';

/**
 * All metrics in the format that the scraper asks for.
 * @param accept its Accept header; without one, the Prometheus text format
 * @throws {Problem} 406
 */
export async function expose(
  metrics: Metrics,
  accept: string | undefined,
): Promise<{ readonly contentType: string; readonly body: string }> {
  const contentType = negotiate(accept, [Registry.PROMETHEUS_CONTENT_TYPE, Registry.OPENMETRICS_CONTENT_TYPE]);
  const text = await metrics.text();
  return { contentType, body: contentType === Registry.OPENMETRICS_CONTENT_TYPE ? toOpenMetrics(text) : text };
}

/**
 * Converts the text format to OpenMetrics 1.0: a counter's family lacks the `_total` of its samples, there are no blank lines, and
 * the end is marked. The library supports it too, but then drops `_total` in the other format as well.
 */
function toOpenMetrics(text: string): string {
  const families = text.replaceAll(
    /^# HELP (\S+)_total (.*)\n# TYPE \1_total counter$/gm,
    '# HELP $1 $2\n# TYPE $1 counter',
  );
  return `${families.replaceAll(/\n+/g, '\n')}# EOF\n`;
}
