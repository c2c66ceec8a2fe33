import type { WorkspaceTenant } from '../platform/database/scope.js';
import type { PlatformName } from './platforms/platform.js';
import type { SyncError, SyncState } from './sync/sync-state.js';

/** A connector and its tenant, as every query of its orders and syncs names them. */
export interface ConnectorTenant extends WorkspaceTenant {
  readonly connectorId: string;
}

/** Why the credentials do not work. */
export interface ReconnectReason {
  readonly code: string;
  readonly message: string;
  readonly since: string;
}

/** State of the newest sync of a connector; instants in PostgreSQL's JSON format. */
export interface LastSync {
  readonly status: SyncState;
  readonly error: SyncError | null;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** A connector as it is stored. */
export interface StoredConnector extends ConnectorTenant {
  readonly platform: PlatformName;
  readonly name: string;
  /** The fields that are not secret. */
  readonly settings: Readonly<Record<string, string>>;
  readonly sealed: Buffer;
  /** In which the days of its orders are told (IANA name). */
  readonly timeZone: string;
  /** `YYYY-MM-DD`; orders of earlier days are not counted. */
  readonly countsFrom: string;
  /** Whether the orders are only kept, since what a former connector had counted still counts in their place. */
  readonly countsRetired: boolean;
  /** The present reading: how many times members had everything read again. */
  readonly reading: number;
  readonly intervalMinutes: number;
  readonly enabled: boolean;
  readonly reconnectReason: ReconnectReason | null;
  readonly nextSyncAt: Date | null;
  readonly lastSyncedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A connector as members see it. */
export interface ShownConnector extends StoredConnector {
  readonly lastSync: LastSync | null;
}
