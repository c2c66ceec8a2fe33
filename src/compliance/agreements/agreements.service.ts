import { Injectable } from '@nestjs/common';
import { type AgreementName, SOC2 } from '../../../config/soc2.js';
import { type MemberCaller, recordAuditBy } from '../../access/index.js';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import { type AgreementState, agreementStates } from './agreement.js';
import { insertAcceptance, listAcceptances } from './agreements.queries.js';

/** The agreements that organizations accept. */
@Injectable()
export class AgreementsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async list(organizationId: string): Promise<AgreementState[]> {
    return agreementStates(await listAcceptances(this.database, organizationId));
  }

  /**
   * Accepts the version in force; whoever accepted it first stays on record.
   * @throws {Problem} 409 `agreement_version_outdated` for another version
   */
  async accept(caller: MemberCaller, agreement: AgreementName, version: string): Promise<AgreementState> {
    const inForce = SOC2.agreements[agreement].version;
    if (version !== inForce) {
      throw new Problem(
        409,
        'agreement_version_outdated',
        `The version in force is ${inForce}. Read and accept that version.`,
        {
          members: { version: inForce },
        },
      );
    }
    const now = this.clock.now();
    const acceptance = { agreement, version, accepted_at: now, user_id: caller.userId, email: caller.email };
    await this.database.transaction(async (tx) => {
      if (!(await insertAcceptance(tx, caller.organizationId, acceptance))) return;
      await recordAuditBy(tx, caller, {
        action: 'agreement.accepted',
        target: { kind: 'agreement', id: agreement },
        details: { version },
        now,
      });
    });
    return (await this.list(caller.organizationId)).find((state) => state.agreement === agreement)!;
  }
}
