import { MINUTE_MS } from '../../platform/durations.js';

/** Kinds of entries that people record, with their descriptions. */
export const ATTESTATION_KINDS = {
  backup: 'backup',
  restore_drill: 'restore drill',
  incident_review: 'review of the incident register',
  vendor_review: 'review of the vendor register',
  access_review: 'review of operator access',
  dependency_scan: 'dependency scan',
  release_ci: 'test result of a release',
} as const;
export type AttestationKind = keyof typeof ATTESTATION_KINDS;
export const ATTESTATION_KIND_NAMES = Object.keys(ATTESTATION_KINDS) as [AttestationKind, ...AttestationKind[]];

export const OUTCOMES = ['passed', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** An entry as recorded. */
export interface Attestation {
  readonly kind: AttestationKind;
  readonly performed_at: Date;
  readonly performed_by: string;
  readonly outcome: Outcome;
  readonly reference: string | null;
  readonly note: string | null;
  readonly artefact_sha256: string | null;
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
