import { Inject, Injectable } from '@nestjs/common';
import type { CheckName } from '../../../config/soc2.js';
import { actorOf, type UserCaller } from '../../access/index.js';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { idPage, type Page } from '../../platform/http/pagination.js';
import { withBackgroundTimeout } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import type { ListEvidenceDto } from '../dto/inputs.dto.js';
import type { EvidenceBody } from '../dto/registers.dto.js';
import { listEvidence } from './evidence.queries.js';
import { INSTALLATION, type Installation } from './installation.js';
import { runChecksFor } from './run-checks-for.js';

/** Reads the results of checks, and runs checks at an operator's request. */
@Injectable()
export class EvidenceService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(INSTALLATION) private readonly installation: Installation,
  ) {}

  list(query: ListEvidenceDto): Promise<Page<EvidenceBody>> {
    return idPage('evidence', query, (slice) => listEvidence(this.database, { check: query.check, ...slice }));
  }

  /** @throws {Problem} 409 `checks_running` while another process or operator is running them */
  async runNow(operator: UserCaller, names: readonly CheckName[] | undefined): Promise<EvidenceBody[]> {
    const request = { actor: actorOf(operator), trigger: 'operator', names } as const;
    const found = await withBackgroundTimeout(() =>
      runChecksFor(this.database, this.clock, this.installation, request),
    );
    if (found === undefined)
      throw new Problem(409, 'checks_running', 'The checks are already running. Read their results from the evidence.');
    return found;
  }
}
