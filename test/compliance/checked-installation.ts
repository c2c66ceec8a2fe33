import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { CheckName } from '../../config/soc2.js';
import { recordAudit } from '../../src/access/index.js';
import type { AttestationKind } from '../../src/compliance/attestations/attestation-kinds.js';
import { recordAttestation } from '../../src/compliance/attestations/record-attestation.js';
import type { CheckContext, Finding } from '../../src/compliance/checks/check.js';
import { CHECKS } from '../../src/compliance/checks/index.js';
import { INSTALLATION, type Installation } from '../../src/compliance/evidence/installation.js';
import { Database } from '../../src/platform/database/database.js';
import { asSystem } from '../../src/platform/database/scope.js';
import { DAY_MS } from '../../src/platform/durations.js';
import { createTenant } from '../support/builders.js';
import type { Tenant } from '../support/history.js';
import { stopIntervals } from '../support/time/stopped-intervals.js';
import { startTestService, type TestService } from '../support/test-service.js';

const ACTOR = { kind: 'system', id: null, name: 'test', address: null } as const;

export const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** An installation whose checks are made one by one, with what tests bring about to be found. */
export class CheckedInstallation {
  service!: TestService;
  tenant!: Tenant;
  private readonly undo: (() => Promise<unknown>)[] = [];

  /** Starts a service for the tests of the surrounding `describe`; each of them finds one tenant, and nothing else. */
  static forTests(): CheckedInstallation {
    const given = new CheckedInstallation();
    beforeAll(async () => {
      given.service = await startTestService({
        role: 'api',
        environment: { PUBLIC_URL: 'https://forecasts.example.com' },
      });
      await stopIntervals(given.service);
    });
    beforeEach(async () => {
      await given.sql('DELETE FROM organizations');
      await given.sql('DELETE FROM users');
      await given.sql('DELETE FROM compliance_attestations');
      await given.sql('DELETE FROM compliance_heartbeats');
      given.tenant = await createTenant(given.service);
    });
    afterEach(async () => {
      for (const step of given.undo.splice(0).reverse()) await step();
    });
    afterAll(() => given.service.close());
    return given;
  }

  sql(text: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
    return this.service.database.query<Record<string, unknown>>(text, values);
  }

  /** Undoes after the test what it does to the structure of the database. */
  undoLater(step: string): void {
    this.undo.push(() => this.sql(step));
  }

  /** Runs a check. @param changed overrides of the facts about the installation */
  look(name: CheckName, changed: Partial<CheckContext> = {}): Promise<Finding> {
    return asSystem('test', () =>
      CHECKS[name]({
        ...this.service.app.get<Installation>(INSTALLATION),
        db: this.service.app.get(Database),
        now: new Date(),
        organizationId: null,
        ...changed,
      }),
    );
  }

  async expectPass(name: CheckName, detail: RegExp | string = /./, changed: Partial<CheckContext> = {}): Promise<void> {
    expect(await this.look(name, changed)).toEqual({ status: 'passed', detail: expect.stringMatching(detail) });
  }

  async expectFailure(name: CheckName, detail: RegExp | string, changed: Partial<CheckContext> = {}): Promise<void> {
    expect(await this.look(name, changed)).toEqual({ status: 'failed', detail: expect.stringMatching(detail) });
  }

  /** Puts an act of a good outcome, unless it says otherwise, into the registers. */
  async attest(
    kind: AttestationKind,
    performed_at: Date,
    more: { outcome?: 'failed'; reference?: string } = {},
  ): Promise<void> {
    const act = { kind, performed_at, performed_by: 'a test', reference: null, note: null, artefact_sha256: null };
    await this.service.database.transaction((tx) =>
      recordAttestation(tx, { outcome: 'passed', ...act, ...more }, ACTOR, new Date()),
    );
  }

  /** Writes an event into the tenant's audit log. */
  note(target: string): Promise<void> {
    return this.service.database.transaction((tx) =>
      recordAudit(tx, {
        organizationId: this.tenant.organizationId,
        actor: ACTOR,
        action: 'flag.changed',
        target: { kind: 'thing', id: target },
        now: new Date(),
      }),
    );
  }
}
