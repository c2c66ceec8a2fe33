import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import { actorOf } from '../audit/audit-event.js';
import { recordAudit } from '../audit/audit-log.js';
import { ApiKeyGate } from '../guard/api-key-gate.js';
import type { MemberCaller } from '../guard/caller.js';
import { formatRange, parseRange } from '../network/ip-ranges.js';
import {
  findOrganization,
  lockOrganization,
  type OrganizationRow,
  updateOrganization,
} from './organizations.queries.js';

export interface OrganizationWishes {
  readonly name?: string;
  readonly ip_allowlist?: readonly string[];
  readonly data_region?: string | null;
  readonly retention_months?: number | null;
}

/** What administrators see and decide about their organization. */
@Injectable()
export class OrganizationsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly gate: ApiKeyGate,
  ) {}

  async get(organizationId: string): Promise<OrganizationRow> {
    const organization = await findOrganization(this.database, organizationId);
    if (!organization) throw Problem.notFound('organization');
    return organization;
  }

  async change(caller: MemberCaller, wishes: OrganizationWishes): Promise<OrganizationRow> {
    const changed = await this.database.transaction(async (tx) => {
      const known = await lockOrganization(tx, caller.organizationId);
      if (!known) throw Problem.notFound('organization');
      const change = {
        name: wishes.name ?? known.name,
        ipAllowlist: wishes.ip_allowlist === undefined ? known.ip_allowlist : normalizeRanges(wishes.ip_allowlist),
        dataRegion: wishes.data_region === undefined ? known.data_region : wishes.data_region,
        retentionMonths: wishes.retention_months === undefined ? known.retention_months : wishes.retention_months,
      };
      const organization = await updateOrganization(tx, known.id, change);
      await recordAudit(tx, {
        organizationId: known.id,
        actor: actorOf(caller),
        action: 'organization.changed',
        target: { kind: 'organization', id: known.id },
        details: { ...wishes },
        occurredAt: this.clock.now(),
      });
      return organization;
    });
    this.gate.forget();
    return changed;
  }
}

/** Ranges in one spelling; the input has been validated. */
export function normalizeRanges(ranges: readonly string[]): string[] {
  return ranges.flatMap((text) => {
    const range = parseRange(text);
    return range ? [formatRange(range)] : [];
  });
}
