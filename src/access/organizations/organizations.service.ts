import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import type { AuditAction } from '../audit/audit-action.js';
import { actorOf } from '../audit/audit-event.js';
import { changeBetween } from '../audit/change.js';
import { recordAuditBy } from '../audit/record-by.js';
import { ApiKeyGate } from '../guard/api-key-gate.js';
import type { MemberCaller } from '../guard/caller.js';
import { OrganizationMails, type OrganizationNotice } from '../mails/organization-mails.js';
import { normalizeRanges } from '../../../config/ip-ranges.js';
import { changeDeletion } from './deletion.js';
import type { ChangeOrganizationDto, OrganizationBody } from './organizations.dto.js';
import { findOrganization, updateOrganization } from './organizations.queries.js';
import { requireOrganization } from './require-organization.js';

/** What administrators can view and change about their organization. */
@Injectable()
export class OrganizationsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly gate: ApiKeyGate,
    private readonly mails: OrganizationMails,
  ) {}

  async get(organizationId: string): Promise<OrganizationBody> {
    const organization = await findOrganization(this.database, organizationId);
    if (!organization) throw Problem.notFound('organization');
    return organization;
  }

  /** @throws {Problem} 409 `second_factor_off` if the caller requires one of all members without having one */
  async change(caller: MemberCaller, change: ChangeOrganizationDto): Promise<OrganizationBody> {
    const now = this.clock.now();
    const changed = await this.database.transaction(async (tx) => {
      const known = await requireOrganization(tx, caller.organizationId);
      const ip_allowlist = change.ip_allowlist ? normalizeRanges(change.ip_allowlist) : known.ip_allowlist;
      const organization = await updateOrganization(tx, { ...known, ...change, ip_allowlist }, now);
      if (organization.second_factor_required && !known.second_factor_required) {
        requireOwnFactor(caller);
        await this.mails.notify(tx, known.id, secondFactorRequired(caller.email));
      }
      const record = async (action: AuditAction, details: object | undefined): Promise<void> => {
        if (details === undefined) return;
        const target = { kind: 'organization', id: known.id };
        await recordAuditBy(tx, caller, { action, target, details: { ...details }, now });
      };
      const { ip_allowlist: _, ...others } = organization;
      await record('organization.changed', changeBetween(known, others));
      // an event of its own, as on the command line
      await record('organization.allowlist_changed', changeBetween(known, { ip_allowlist }));
      return organization;
    });
    this.gate.forget();
    return changed;
  }

  /** {@link changeDeletion} */
  async changeDeletion(caller: MemberCaller, deleted: boolean): Promise<OrganizationBody> {
    const { organizationId } = caller;
    const change = { organizationId, deleted, actor: actorOf(caller), now: this.clock.now() };
    const organization = await this.database.transaction((tx) => changeDeletion(tx, this.mails, change));
    this.gate.forget();
    return organization;
  }
}

/** Whoever requires a second factor of the others would be locked out without one. */
function requireOwnFactor(caller: MemberCaller): void {
  if (caller.secondFactor) return;
  throw new Problem(
    409,
    'second_factor_off',
    'You have no second factor yourself. Enroll one first, with POST /auth/second-factor.',
  );
}

const secondFactorRequired = (by: string): OrganizationNotice => ({
  kind: 'second_factor_asked',
  role: 'viewer',
  compose: (organization) => ({
    subject: `${organization} requires a second factor`,
    paragraphs: [
      `${by} has turned on the second factor requirement of ${organization}. Members without a second factor have no access to the organization until they enroll one: POST /auth/second-factor.`,
    ],
  }),
});
