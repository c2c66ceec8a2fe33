import type { WorkspaceTenant } from '../platform/database/scope.js';

/** The run that results belong to, and its workspace. */
export interface RunScope extends WorkspaceTenant {
  readonly runId: string;
}
