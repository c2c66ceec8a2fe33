import { Inject, Injectable } from '@nestjs/common';
import type { MemberCaller } from '../access/index.js';
import { Clock } from '../platform/clock.js';
import { Database } from '../platform/database/database.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { tenantOf } from '../series/index.js';
import type { TestResult } from './connector-body.js';
import { connectorOf, recordConnectorAction } from './held-connector.js';
import { PlatformFault } from './platform-fault.js';
import { understood } from './platforms/pull-page.js';
import { findPlatform } from './platforms/registry.js';
import { askToReconnect, noteWorking } from './reconnect.js';
import { Sessions } from './sessions.js';

/** Longest that the test of a connector may take, in milliseconds: somebody waits for it. */
const TEST_MS = 15_000;

/** Tries connectors by one small request to their platform. */
@Injectable()
export class ConnectorTester {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly sessions: Sessions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Tries the credentials; notes that they work, or that they do not. @throws {Problem} 404 */
  async test(member: MemberCaller, connectorId: string): Promise<TestResult> {
    const tenant = tenantOf(member);
    const connector = await connectorOf(this.database, tenant, connectorId);
    const platform = findPlatform(connector.platform)!;
    let fault: PlatformFault | undefined;
    const account = await understood(this.logger, async () => {
      const api = this.sessions.open(connector, AbortSignal.timeout(TEST_MS));
      return (await platform.check(api)).slice(0, 200);
    }).catch((thrown: unknown) => {
      if (!(thrown instanceof PlatformFault)) throw thrown;
      fault = thrown;
      return '';
    });
    const now = this.clock.now();
    await this.database.transaction(async (tx) => {
      if (fault?.kind === 'reconnect') await askToReconnect(tx, connector, fault, now);
      if (fault === undefined) await noteWorking(tx, { ...tenant, connectorId }, now);
      const outcome = { ok: fault === undefined, code: fault?.code };
      await recordConnectorAction(tx, member, 'connector.tested', connectorId, outcome, now);
    });
    if (fault) return { ok: false, account: null, code: fault.code, message: fault.message };
    return { ok: true, account, code: null, message: null };
  }
}
