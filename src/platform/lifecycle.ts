import { Injectable } from '@nestjs/common';

/** Whether this process takes traffic; the first step of a graceful stop is to say no. */
@Injectable()
export class Lifecycle {
  private state: 'starting' | 'ready' | 'draining' = 'starting';

  get ready(): boolean {
    return this.state === 'ready';
  }

  get draining(): boolean {
    return this.state === 'draining';
  }

  markReady(): void {
    if (this.state === 'starting') this.state = 'ready';
  }

  markDraining(): void {
    this.state = 'draining';
  }
}
