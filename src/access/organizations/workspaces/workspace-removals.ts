import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.js';
import type { WorkspaceTenant } from '../../../platform/database/scope.js';

/** What a module does before a workspace is deleted. @returns what it does afterwards, in the same transaction */
type Step = (tx: Transaction, workspace: WorkspaceTenant) => Promise<() => Promise<void>>;

/** What modules do when a workspace is deleted, besides deleting its rows. */
@Injectable()
export class WorkspaceRemovals {
  private readonly steps: Step[] = [];

  /** Registers a step for every deletion. */
  accompany(step: Step): void {
    this.steps.push(step);
  }

  /** Begins the deletion of a workspace that the transaction has locked. @returns a function that completes it once the row is gone */
  async begin(tx: Transaction, workspace: WorkspaceTenant): Promise<() => Promise<void>> {
    const ends: (() => Promise<void>)[] = [];
    for (const step of this.steps) ends.push(await step(tx, workspace));
    return async () => {
      for (const end of ends) await end();
    };
  }
}
