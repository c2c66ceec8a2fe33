import { type DynamicModule, Module } from '@nestjs/common';
import { Backlogs } from '../platform/metrics/backlogs.js';
import { ActualsService } from './actuals.service.js';
import { ActualsController } from './actuals.controller.js';
import { ImportInstruments } from './imports/import-instruments.js';
import { ImportRunner } from './imports/import-runner.js';
import { countOpenImports } from './imports/import-work.queries.js';
import { ImportsService } from './imports/imports.service.js';
import { DeferredUploads } from './imports/deferred-uploads.js';
import { ImmediateUploads } from './imports/immediate-uploads.js';
import { UploadsService } from './imports/uploads.service.js';
import { OverridesController } from './overrides/overrides.controller.js';
import { OverridesService } from './overrides/overrides.service.js';
import { SeriesController } from './series.controller.js';
import { SeriesService } from './series.service.js';
import { WorkspaceImportsController } from './workspace-imports.controller.js';
import { WorkspaceSeriesController } from './workspace-series.controller.js';

/** Series, demand, imports and overrides. Only processes with `api` have the routes; every process works through stored uploads. */
@Module({})
export class SeriesModule {
  constructor(backlogs: Backlogs) {
    backlogs.watch('imports', ['receiving', 'processing'], countOpenImports);
  }

  static forRole(role: { readonly api: boolean }): DynamicModule {
    const controllers = [
      ActualsController,
      SeriesController,
      WorkspaceImportsController,
      WorkspaceSeriesController,
      OverridesController,
    ];
    return {
      module: SeriesModule,
      controllers: role.api ? controllers : [],
      providers: [
        ActualsService,
        SeriesService,
        OverridesService,
        UploadsService,
        ImmediateUploads,
        DeferredUploads,
        ImportsService,
        ImportInstruments,
        ImportRunner,
      ],
    };
  }
}
