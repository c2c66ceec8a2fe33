import { Injectable } from '@nestjs/common';

/** Whether this process accepts traffic; a graceful shutdown begins by turning it off. */
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
