import { type DynamicModule, Module } from '@nestjs/common';
import { AlertsController, WorkspaceAlertsController } from './alerts.controller.js';
import { AlertsService } from './alerts.service.js';

/** Demand-shift alerts: recorded as runs complete (record-findings.ts), read and marked over the API. */
@Module({})
export class AlertsModule {
  static forRole(role: { readonly api: boolean }): DynamicModule {
    return role.api
      ? { module: AlertsModule, controllers: [AlertsController, WorkspaceAlertsController], providers: [AlertsService] }
      : { module: AlertsModule };
  }
}
