import { Injectable } from '@nestjs/common';
import { AGREEMENT_NAMES, type AgreementName, SOC2 } from '../../../config/soc2.js';
import { type MemberCaller, recordAuditBy } from '../../access/index.js';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import type { AgreementBody } from '../dto/agreement.dto.js';
import { type AcceptanceRow, insertAcceptance, listAcceptances } from './agreements.queries.js';

/** The agreements that organizations accept. */
@Injectable()
export class AgreementsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async list(organizationId: string): Promise<AgreementBody[]> {
    const acceptances = await listAcceptances(this.database, organizationId);
    return AGREEMENT_NAMES.map((agreement) => agreementBody(agreement, acceptances));
  }

  /**
   * Accepts the version in force; whoever accepted it first stays on record.
   * @throws {Problem} 409 `agreement_version_outdated` for another version
   */
  async accept(caller: MemberCaller, agreement: AgreementName, version: string): Promise<AgreementBody> {
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

/** @param acceptances of the organization, latest first */
function agreementBody(agreement: AgreementName, acceptances: readonly AcceptanceRow[]): AgreementBody {
  const { title, version, url } = SOC2.agreements[agreement];
  const own = acceptances
    .filter((acceptance) => acceptance.agreement === agreement)
    .map(({ agreement: _agreement, ...acceptance }) => acceptance);
  const current = own.find((acceptance) => acceptance.version === version);
  return {
    agreement,
    title,
    version,
    url: url ?? null,
    accepted: current !== undefined,
    acceptance: current ?? own[0] ?? null,
  };
}
