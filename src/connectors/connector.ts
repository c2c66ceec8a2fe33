import type { WorkspaceTenant } from '../platform/database/scope.js';
import type { PlatformName } from './platforms/platform.js';
import type { SyncError, SyncState } from './sync/sync-state.js';

/** A connector and its tenant, as named in every query of its orders and syncs. */
export interface ConnectorTenant extends WorkspaceTenant {
  readonly connectorId: string;
}

/** Why the credentials do not work. */
export interface ReconnectReason {
  readonly code: string;
  readonly message: string;
  readonly since: string;
}

/** State of a connector's newest sync; instants in PostgreSQL's JSON format. */
export interface LastSync {
  readonly status: SyncState;
  readonly error: SyncError | null;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** An order that cannot be read; instants in PostgreSQL's JSON format. */
export interface ShownOrderSetAside {
  readonly id: string;
  readonly code: string;
  readonly message: string;
  readonly since: string;
  readonly last_tried_at: string;
}

/** A connector as stored. */
export interface StoredConnector extends ConnectorTenant {
  readonly platform: PlatformName;
  readonly name: string;
  /** The fields that are not secret. */
  readonly settings: Readonly<Record<string, string>>;
  readonly sealed: Buffer;
  /** The time zone of its orders' days (IANA name). */
  readonly timeZone: string;
  /** `YYYY-MM-DD`; orders before this day are not counted. */
  readonly countsFrom: string;
  /** Whether its orders are only stored, because the demand counted by a former connector still counts in their place. */
  readonly countsRetired: boolean;
  /** The current reading: the number of times that members had everything read again. */
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
  /** Products without a series, because the plan allows no more. */
  readonly productsLeftOut: number;
  /** Orders that cannot be read, oldest first. */
  readonly ordersSetAside: readonly ShownOrderSetAside[];
}
