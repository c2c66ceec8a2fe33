import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { idPage, type Page } from '../../platform/http/pagination.js';
import { Problem } from '../../platform/http/problem.js';
import { requireById } from '../../platform/http/require-by-id.js';
import { actorOf } from '../audit/audit-event.js';
import { changeFlag } from '../flags/change-flag.js';
import { type Flag, FLAG_NAMES, type FlagName, listAllFlags } from '../flags/flags.queries.js';
import { ApiKeyGate } from '../guard/api-key-gate.js';
import type { UserCaller } from '../guard/caller.js';
import { OrganizationMails } from '../mails/organization-mails.js';
import { changePlan } from '../organizations/plans/change-plan.js';
import { findOrganization, lockOrganization, pageOrganizations } from '../organizations/organizations.queries.js';
import type { OrganizationBody } from '../organizations/organizations.dto.js';
import { requireOrganization } from '../organizations/require-organization.js';
import { changeSuspension } from '../organizations/suspension.js';
import type { ListOrganizationsDto, OperateOrganizationDto } from './admin.dto.js';

/** Operations for operators. */
@Injectable()
export class AdminService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly gate: ApiKeyGate,
    private readonly mails: OrganizationMails,
  ) {}

  list(query: ListOrganizationsDto): Promise<Page<OrganizationBody>> {
    return idPage('organizations', query, (slice) => pageOrganizations(this.database, slice));
  }

  /** @throws {Problem} 404 */
  get(organizationId: string): Promise<OrganizationBody> {
    return requireById('organization', organizationId, (id) => findOrganization(this.database, id));
  }

  /**
   * Changes plan and suspension; a no-op for what is already as requested.
   * @throws {Problem} 400 for a reason without a suspension; 404
   */
  async operate(
    user: UserCaller,
    organizationId: string,
    change: OperateOrganizationDto,
  ): Promise<{ organization: OrganizationBody; locked: number; unlocked: number }> {
    if (change.reason !== undefined && change.suspended === undefined) {
      throw Problem.invalid([{ param: 'reason', message: 'is allowed only together with suspended' }]);
    }
    const now = this.clock.now();
    const actor = actorOf(user);
    const { plan, suspended, reason = null } = change;
    const result = await this.database.transaction(async (tx) => {
      const known = await requireById('organization', organizationId, (id) => lockOrganization(tx, id));
      const by = { organizationId: known.id, actor, now };
      const keys =
        plan === undefined ? { locked: 0, unlocked: 0 } : await changePlan(tx, this.mails, { to: plan, ...by });
      if (suspended !== undefined) await changeSuspension(tx, { suspended, reason, ...by });
      return { organization: await requireOrganization(tx, known.id), ...keys };
    });
    this.gate.forget();
    return result;
  }

  listFlags(): Promise<Flag[]> {
    return listAllFlags(this.database);
  }

  /** @throws {Problem} 404 */
  async setFlag(user: UserCaller, name: string, enabled: boolean, reason: string | null): Promise<Flag> {
    const known = FLAG_NAMES.find((flag): flag is FlagName => flag === name);
    if (!known) throw Problem.notFound('flag');
    const flag = await this.database.transaction((tx) =>
      changeFlag(tx, { name: known, enabled, reason, actor: actorOf(user), now: this.clock.now() }),
    );
    this.gate.forget();
    return flag;
  }
}
