export const SYNC_STATES = ['queued', 'running', 'completed', 'failed'] as const;
export type SyncState = (typeof SYNC_STATES)[number];

export const SYNC_TRIGGERS = ['schedule', 'manual'] as const;
export type SyncTrigger = (typeof SYNC_TRIGGERS)[number];

/** Why a sync failed, or is being retried. */
export interface SyncError {
  readonly code: string;
  readonly message: string;
}
