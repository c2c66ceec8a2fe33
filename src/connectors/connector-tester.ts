import { Inject, Injectable } from '@nestjs/common';
import { type MemberCaller, tenantOf } from '../access/index.js';
import { Clock } from '../platform/clock.js';
import { Database } from '../platform/database/database.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import type { StoredConnector } from './connector.js';
import { Reconnect } from './credentials/reconnect.js';
import { Sessions } from './credentials/sessions.js';
import type { ConnectorTestDto } from './dto/connector.dto.js';
import { PlatformFault } from './platform-fault.js';
import { catchMalformed } from './platforms/pull-page.js';
import { PLATFORMS } from './platforms/registry.js';
import { recordConnectorAct } from './record-connector-act.js';
import { requireConnector } from './require-connector.js';

/** Timeout of a connector test in milliseconds: a member waits for it. */
const TEST_MS = 15_000;

/** Tests connectors with one minimal request to their platform. */
@Injectable()
export class ConnectorTester {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly sessions: Sessions,
    private readonly reconnect: Reconnect,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Tests the credentials and records whether they work. @throws {Problem} 404 */
  async test(member: MemberCaller, connectorId: string): Promise<ConnectorTestDto> {
    const tenant = tenantOf(member);
    const connector = await requireConnector(this.database, tenant, connectorId);
    const answer = await this.ask(connector);
    const fault = answer instanceof PlatformFault ? answer : undefined;
    const now = this.clock.now();
    await this.database.transaction(async (tx) => {
      if (fault?.kind === 'reconnect') await this.reconnect.ask(tx, connector, fault, now);
      if (fault === undefined) await this.reconnect.noteWorking(tx, { ...tenant, connectorId }, now);
      await recordConnectorAct(tx, member, {
        action: 'connector.tested',
        connectorId,
        details: { ok: fault === undefined, code: fault?.code },
        now,
      });
    });
    return answer instanceof PlatformFault
      ? { ok: false, account: null, code: answer.code, message: answer.message }
      : { ok: true, ...answer, code: null };
  }

  /** The platform's name for the account and its caution, or why it rejects the credentials. */
  private async ask(
    connector: StoredConnector,
  ): Promise<Pick<ConnectorTestDto, 'account' | 'message'> | PlatformFault> {
    const platform = PLATFORMS[connector.platform];
    try {
      return await catchMalformed(this.logger, async () => {
        const api = this.sessions.open(connector, AbortSignal.timeout(TEST_MS));
        const account = (await platform.check(api)).slice(0, 200);
        return { account, message: (await platform.caution?.(api)) ?? null };
      });
    } catch (thrown) {
      if (thrown instanceof PlatformFault) return thrown;
      throw thrown;
    }
  }
}
