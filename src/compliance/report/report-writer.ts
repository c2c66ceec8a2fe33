import { join } from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { PROJECT_ROOT } from '../../../config/paths.js';
import type { ReadinessBody } from '../dto/readiness.dto.js';
import type { RenderedReport } from './render-report.js';

/** Renders reports in worker threads, since page layout would block all other requests. */
@Injectable()
export class ReportWriter implements OnApplicationShutdown {
  private readonly pool = new Piscina({
    // always the compiled file: a worker thread does not see the test runner's transforms
    filename: join(PROJECT_ROOT, 'dist', 'src', 'compliance', 'report', 'report.thread.js'),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 30_000,
    niceIncrement: 10,
  });

  constructor() {
    this.pool.on('error', () => undefined); // a thread that dies rejects its task, where the error is handled
  }

  async write(body: ReadinessBody): Promise<RenderedReport> {
    const { id, pdf } = (await this.pool.run(body)) as RenderedReport;
    return { id, pdf: Buffer.from(pdf) }; // transferred between threads, a Buffer becomes a Uint8Array
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }
}
