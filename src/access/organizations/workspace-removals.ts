import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';

/** What a module does before a workspace is removed. @returns what it does after that, in the same transaction */
type Step = (tx: Transaction, workspace: WorkspaceTenant) => Promise<() => Promise<void>>;

/** What modules do when a workspace is removed, beside the removal of its rows. */
@Injectable()
export class WorkspaceRemovals {
  private readonly steps: Step[] = [];

  /** Adds a step to every removal. */
  accompany(step: Step): void {
    this.steps.push(step);
  }

  /** Begins the removal of a workspace that the transaction has locked. @returns ends it, once its row is gone */
  async begin(tx: Transaction, workspace: WorkspaceTenant): Promise<() => Promise<void>> {
    const ends: (() => Promise<void>)[] = [];
    for (const step of this.steps) ends.push(await step(tx, workspace));
    return async () => {
      for (const end of ends) await end();
    };
  }
}
