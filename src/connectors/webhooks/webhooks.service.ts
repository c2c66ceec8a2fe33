import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../../config/settings.js';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import { isId, newId } from '../../platform/ids.js';
import { SETTINGS } from '../../platform/platform.module.js';
import type { StoredConnector } from '../connector.js';
import { findConnectorOfAnyone } from '../connectors.queries.js';
import { Sessions } from '../credentials/sessions.js';
import { Vault } from '../credentials/vault.js';
import { findPlatform } from '../platforms/registry.js';
import { hasFullQueue, insertDelivery } from './deliveries.queries.js';
import type { IncomingWebhook, WebhookProtocol } from './webhook-protocol.js';

/** Compared if there is no secret, so that rejecting an unknown connector takes as long as rejecting a known one. */
const NO_SECRET = 'no connector has this secret';

/** Whether the database accepts it: PostgreSQL text cannot contain NUL, and keys are indexed, which bounds their length. */
const isStorable = (text: string): boolean => /^[^\0]{1,255}$/.test(text);

/** Receives notifications: authenticates the sender, stores them, and leaves the rest to the {@link DeliveryRunner}. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly sessions: Sessions,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * @throws {Problem} 503 `public_url_not_configured`; 401 `signature_invalid` for any problem with the sender; 429 while too many of the
   * connector's notifications wait
   */
  async receive(platformName: string, connectorId: string, webhook: IncomingWebhook): Promise<void> {
    if (this.settings.PUBLIC_URL === undefined) {
      throw new Problem(
        503,
        'public_url_not_configured',
        'Webhooks require PUBLIC_URL, the public URL of this installation, to be set.',
      );
    }
    const protocol = findPlatform(platformName)?.webhook;
    if (protocol?.isPing?.(webhook) === true) return;
    await asSystem('webhook of a connector', () => this.store(protocol, platformName, connectorId, webhook));
  }

  private async store(
    protocol: WebhookProtocol | undefined,
    platformName: string,
    connectorId: string,
    webhook: IncomingWebhook,
  ): Promise<void> {
    const found = isId(connectorId) ? await findConnectorOfAnyone(this.database, connectorId) : undefined;
    const connector = found?.platform === platformName ? found : undefined;
    const secrets = protocol && connector ? this.secretsOf(connector, protocol) : [];
    // all are tried, even after a match
    const fitting = [...secrets, NO_SECRET].filter((secret) => protocol?.verify(webhook, secret) === true);
    const signed = fitting.some((secret) => secret !== NO_SECRET);
    const delivery = signed && connector ? protocol?.identify(webhook, this.sessions.valuesOf(connector)) : undefined;
    if (!delivery || !connector || !isStorable(delivery.key) || !isStorable(delivery.topic)) {
      throw Problem.unauthenticated(
        'signature_invalid',
        'The connector is unknown or the signature does not match the body.',
        'Signature realm="webhooks"',
      );
    }
    // the next sync finds what arrives while a connector is disabled
    if (!connector.enabled) return;
    if (await hasFullQueue(this.database, connector)) throw tooManyWaiting();
    await insertDelivery(this.database, connector, { id: newId(), body: webhook.body, ...delivery });
  }

  private secretsOf(connector: StoredConnector, { secret }: WebhookProtocol): string[] {
    const credentials = this.vault.tryOpen(connector);
    if (!credentials) return [];
    const { values, former } = credentials;
    const before = former[secret];
    const stillGood = before && new Date(before.until) > this.clock.now() ? [before.value] : [];
    return [values[secret] ?? '', ...stillGood].filter((known) => known !== '');
  }
}

const tooManyWaiting = (): Problem =>
  Problem.tooMany(60, 'Too many deliveries for the connector are waiting to be processed. Send this one again later.');
