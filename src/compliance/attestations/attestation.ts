import { MINUTE_MS } from '../../platform/durations.js';
import type { AttestationBody } from '../dto/registers.dto.js';

/** An entry as it is recorded. */
export type Attestation = Omit<AttestationBody, 'id' | 'recorded_at' | 'recorded_by'>;

/** What an operator gives of an entry. */
type Given = Pick<Attestation, 'kind' | 'performed_by'> & {
  readonly [Member in keyof Attestation]?: Attestation[Member] | undefined;
};

/** An entry whose act was performed now and passed, unless it says otherwise. */
export function attestationOf(
  { kind, performed_by, performed_at, outcome, reference, note, artefact_sha256 }: Given,
  now: Date,
): Attestation {
  return {
    kind,
    performed_at: performed_at ?? now,
    performed_by,
    outcome: outcome ?? 'passed',
    reference: reference ?? null,
    note: note ?? null,
    artefact_sha256: artefact_sha256 ?? null,
  };
}

/** How far in the future an entry may be, to allow for clock skew. */
const AHEAD_MS = 5 * MINUTE_MS;

export interface AttestationFault {
  readonly param: 'performed_at' | 'reference';
  readonly message: string;
}

/** @returns what is wrong with the entry, by field */
export function faultsOf(entry: Attestation, now: Date): AttestationFault[] {
  const faults: AttestationFault[] = [];
  if (entry.performed_at.getTime() > now.getTime() + AHEAD_MS) {
    faults.push({ param: 'performed_at', message: 'must not be in the future' });
  }
  if (entry.kind === 'release_ci' && entry.reference === null) {
    faults.push({ param: 'reference', message: 'is required if kind is release_ci: the version of the release' });
  }
  return faults;
}
