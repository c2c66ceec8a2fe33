import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/metrics/metrics.js';
import type { ImportReportDto } from '../dto/import.dto.js';

/** Metrics of imports, including those whose client waits for the result. */
@Injectable()
export class ImportInstruments {
  private readonly finished;
  private readonly rows;

  constructor(metrics: Metrics) {
    const help = 'Imports that have ended. Uploads rejected while the sender waits are not counted.';
    this.finished = metrics.counter('imports_finished_total', help, { outcome: ['completed', 'failed'] });
    this.rows = metrics.counter('import_rows_total', 'Rows stored by imports.', {});
  }

  completed(report: ImportReportDto): void {
    this.finished.inc({ outcome: 'completed' });
    this.rows.inc({}, report.rows);
  }

  failed(count = 1): void {
    this.finished.inc({ outcome: 'failed' }, count);
  }
}
