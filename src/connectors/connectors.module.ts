import { type DynamicModule, Module } from '@nestjs/common';
import { Backlogs } from '../platform/metrics/backlogs.js';
import { ConnectorInstruments } from './connector-instruments.js';
import { ConnectorTester } from './connector-tester.js';
import { ConnectorsController } from './connectors.controller.js';
import { ConnectorsService } from './connectors.service.js';
import { Reconnect } from './credentials/reconnect.js';
import { Sessions } from './credentials/sessions.js';
import { Vault } from './credentials/vault.js';
import { SetAsideReader } from './sync/set-aside-reader.js';
import { SyncFaults } from './sync/sync-faults.js';
import { SyncReader } from './sync/sync-reader.js';
import { SyncRunner } from './sync/sync-runner.js';
import { countOpenSyncs } from './sync/sync-work.queries.js';
import { SyncsService } from './sync/syncs.service.js';
import { countPendingDeliveries } from './webhooks/deliveries.queries.js';
import { DeliveryReader } from './webhooks/delivery-reader.js';
import { DeliveryRunner } from './webhooks/delivery-runner.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { WebhooksService } from './webhooks/webhooks.service.js';

/** Demand from shops, accounting and ERP systems: `api` manages connectors and receives webhooks, `worker` reads the platforms. */
@Module({})
export class ConnectorsModule {
  constructor(backlogs: Backlogs) {
    backlogs.watch('connector_syncs', ['queued', 'running'], countOpenSyncs);
    backlogs.watch('webhooks', ['pending'], countPendingDeliveries);
  }

  static forRole(role: { readonly api: boolean; readonly worker: boolean }): DynamicModule {
    return {
      module: ConnectorsModule,
      controllers: role.api ? [ConnectorsController, WebhooksController] : [],
      providers: [
        Vault,
        Sessions,
        Reconnect,
        ConnectorsService,
        ConnectorTester,
        SyncsService,
        WebhooksService,
        ...(role.worker
          ? [ConnectorInstruments, SetAsideReader, SyncFaults, SyncReader, SyncRunner, DeliveryReader, DeliveryRunner]
          : []),
      ],
    };
  }
}
