import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { WorkspaceRemovals } from '../access/index.js';
import { Backlogs } from '../platform/metrics/backlogs.js';
import { cancelQueued } from './end/cancel-queued.js';
import { RunCanceler } from './end/run-canceler.js';
import { RunFailer } from './end/run-failer.js';
import { Comparisons } from './explain/comparisons.js';
import {
  ForecastExplainController,
  WorkspaceForecastExplainController,
} from './explain/forecast-explain.controller.js';
import { ForecastExplainService } from './explain/forecast-explain.service.js';
import { EngineThreads } from './engine/engine-threads.js';
import { countOpenChunks, countOpenRuns } from './monitoring/backlog.queries.js';
import { RunInstruments } from './monitoring/run-instruments.js';
import { RunEvents } from './monitoring/run-events.js';
import { CompletedForecasts } from './results/completed-forecasts.js';
import {
  ForecastAccuracyController,
  WorkspaceForecastAccuracyController,
} from './results/accuracy/forecast-accuracy.controller.js';
import { ForecastAccuracyService } from './results/accuracy/forecast-accuracy.service.js';
import {
  RunResultsController,
  WorkspaceRunResultsController,
} from './results/forecast-rows/forecast-rows.controller.js';
import { ForecastRowsService } from './results/forecast-rows/forecast-rows.service.js';
import {
  SafetyStockController,
  WorkspaceSafetyStockController,
} from './results/safety-stock/safety-stock.controller.js';
import { SafetyStockService } from './results/safety-stock/safety-stock.service.js';
import {
  SeriesForecastController,
  WorkspaceSeriesForecastController,
} from './results/series-forecast/series-forecast.controller.js';
import { SeriesForecastService } from './results/series-forecast/series-forecast.service.js';
import {
  SeriesMetricsController,
  WorkspaceSeriesMetricsController,
} from './results/series-metrics/series-metrics.controller.js';
import { SeriesMetricsService } from './results/series-metrics/series-metrics.service.js';
import {
  ForecastTotalsController,
  WorkspaceForecastTotalsController,
} from './results/totals/forecast-totals.controller.js';
import { ForecastTotalsService } from './results/totals/forecast-totals.service.js';
import { RunsController } from './runs.controller.js';
import { RunsService } from './runs.service.js';
import { ScheduleController } from './schedule/schedule.controller.js';
import { ScheduleService } from './schedule/schedule.service.js';
import { NoNewDemandNotice } from './schedule/no-new-demand.js';
import { Scheduler } from './schedule/scheduler.js';
import { DemandSensingController, WorkspaceDemandSensingController } from './sensing/demand-sensing.controller.js';
import { DemandSensingService } from './sensing/demand-sensing.service.js';
import { PooledCurves } from './sensing/pooled-curves.js';
import { RunStarter } from './start/run-starter.js';
import { SafetyStocks } from './stock/safety-stocks.js';
import { StockAhead } from './stock/stock-ahead.js';
import { IdlePoller } from './wake-ups/idle-poller.js';
import { RUNS_QUEUE, RunWaker } from './wake-ups/run-waker.js';
import { WakeUpProcessor } from './wake-ups/wake-up-processor.js';
import { Attempts } from './work/attempts.js';
import { ChunkFitter } from './work/chunk-fitter.js';
import { RunPlanner } from './work/run-planner.js';
import { PieceRunner } from './work/piece-runner.js';
import { WorkspaceRunsController } from './workspace-runs.controller.js';

/** Runs: `api` starts and reads them, `worker` computes them. */
@Module({})
export class RunsModule {
  constructor(backlogs: Backlogs, removals: WorkspaceRemovals) {
    removals.accompany(cancelQueued);
    backlogs.watch('runs', ['queued', 'running'], countOpenRuns);
    backlogs.watch('run_chunks', ['waiting', 'leased'], countOpenChunks);
  }

  static forRole(role: { readonly api: boolean; readonly worker: boolean }): DynamicModule {
    return {
      module: RunsModule,
      global: true,
      imports: [BullModule.registerQueue({ name: RUNS_QUEUE })],
      controllers: role.api
        ? [
            RunsController,
            RunResultsController,
            SafetyStockController,
            SeriesForecastController,
            SeriesMetricsController,
            ForecastAccuracyController,
            ForecastTotalsController,
            ForecastExplainController,
            DemandSensingController,
            ScheduleController,
            WorkspaceRunsController,
            WorkspaceRunResultsController,
            WorkspaceSafetyStockController,
            WorkspaceSeriesForecastController,
            WorkspaceSeriesMetricsController,
            WorkspaceForecastAccuracyController,
            WorkspaceForecastTotalsController,
            WorkspaceForecastExplainController,
            WorkspaceDemandSensingController,
          ]
        : [],
      providers: [
        RunWaker,
        RunEvents,
        RunInstruments,
        RunsService,
        ForecastRowsService,
        CompletedForecasts,
        SafetyStockService,
        SafetyStocks,
        SeriesForecastService,
        SeriesMetricsService,
        ForecastAccuracyService,
        ForecastTotalsService,
        DemandSensingService,
        PooledCurves,
        EngineThreads,
        Comparisons,
        ForecastExplainService,
        ScheduleService,
        RunStarter,
        RunCanceler,
        ...(role.worker
          ? [
              RunFailer,
              RunPlanner,
              ChunkFitter,
              StockAhead,
              Attempts,
              PieceRunner,
              WakeUpProcessor,
              IdlePoller,
              NoNewDemandNotice,
              Scheduler,
            ]
          : []),
      ],
      exports: [SafetyStocks],
    };
  }
}
