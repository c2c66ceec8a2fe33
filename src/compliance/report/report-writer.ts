import { join } from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { PROJECT_ROOT } from '../../../config/paths.js';
import type { ReadinessBody } from '../dto/readiness.dto.js';
import type { RenderedReport } from './render-report.js';

/** Writes reports in a thread of their own, since laying out pages would block all other requests. */
@Injectable()
export class ReportWriter implements OnApplicationShutdown {
  private readonly pool = new Piscina({
    // always the compiled file: a thread does not see the test runner's transforms
    filename: join(PROJECT_ROOT, 'dist', 'src', 'compliance', 'report', 'report.thread.js'),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 30_000,
    niceIncrement: 10,
  });

  constructor() {
    this.pool.on('error', () => undefined); // a thread that dies rejects its task; that is where it is handled
  }

  async write(body: ReadinessBody): Promise<RenderedReport> {
    const { id, pdf } = (await this.pool.run(body)) as RenderedReport;
    return { id, pdf: Buffer.from(pdf) }; // between threads a Buffer becomes a plain array of bytes
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }
}
