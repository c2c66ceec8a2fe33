import { Injectable } from '@nestjs/common';
import { Metrics } from '../platform/metrics/metrics.js';
import type { StoredConnector } from './connector.js';
import type { FaultKind } from './platform-fault.js';
import { PLATFORM_NAMES } from './platforms/platform.js';

const WEBHOOK_OUTCOMES = ['stored', 'unchanged', 'ignored', 'failed'] as const;

/** Metrics of connectors by platform. The log identifies the shop. */
@Injectable()
export class ConnectorInstruments {
  private readonly syncs;
  private readonly faults;
  private readonly webhooks;
  private readonly setAside;

  constructor(metrics: Metrics) {
    const platform = PLATFORM_NAMES;
    this.syncs = metrics.counter('connector_syncs_finished_total', 'Syncs that have ended.', {
      platform,
      outcome: ['completed', 'failed'],
    });
    this.faults = metrics.counter(
      'connector_faults_total',
      'Errors of syncs and webhook deliveries. Most are retried.',
      {
        platform,
        kind: ['wait', 'passing', 'refused', 'closed', 'reconnect'],
      },
    );
    this.webhooks = metrics.counter('webhooks_processed_total', 'Webhook deliveries that were processed.', {
      platform,
      outcome: WEBHOOK_OUTCOMES,
    });
    this.setAside = metrics.counter(
      'connector_orders_set_aside_total',
      'Orders set aside because they cannot be read.',
      {
        platform,
      },
    );
  }

  syncEnded({ platform }: StoredConnector, outcome: 'completed' | 'failed'): void {
    this.syncs.inc({ platform, outcome });
  }

  fault({ platform }: StoredConnector, kind: FaultKind): void {
    this.faults.inc({ platform, kind });
  }

  orderSetAside({ platform }: StoredConnector): void {
    this.setAside.inc({ platform });
  }

  webhookProcessed({ platform }: StoredConnector, outcome: (typeof WEBHOOK_OUTCOMES)[number]): void {
    this.webhooks.inc({ platform, outcome });
  }
}
