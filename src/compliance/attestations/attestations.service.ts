import { Injectable } from '@nestjs/common';
import { actorOf, type UserCaller } from '../../access/index.js';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { idPage, type Page } from '../../platform/http/pagination.js';
import { Problem } from '../../platform/http/problem.js';
import type { AttestDto, ListAttestationsDto } from '../dto/inputs.dto.js';
import type { AttestationBody } from '../dto/registers.dto.js';
import { attestationOf, faultsOf } from './attestation.js';
import { listAttestations } from './attestations.queries.js';
import { recordAttestation } from './record-attestation.js';

/** The registers that people keep. Entries are never changed: a wrong one is followed by a corrected one. */
@Injectable()
export class AttestationsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  list(query: ListAttestationsDto): Promise<Page<AttestationBody>> {
    return idPage('attestations', query, (slice) => listAttestations(this.database, { kind: query.kind, ...slice }));
  }

  /** @throws {Problem} 400; 409 `attestation_exists` */
  async record(operator: UserCaller, given: AttestDto): Promise<AttestationBody> {
    const now = this.clock.now();
    const entry = attestationOf(given, now);
    const faults = faultsOf(entry, now);
    if (faults.length > 0) throw Problem.invalid(faults);
    const row = await this.database.transaction((tx) => recordAttestation(tx, entry, actorOf(operator), now));
    if (!row) {
      throw new Problem(409, 'attestation_exists', 'An entry with this kind, time and reference already exists.');
    }
    return row;
  }
}
