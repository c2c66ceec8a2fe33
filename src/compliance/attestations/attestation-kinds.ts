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

/** Maximum length of a note, in characters. */
export const MAX_NOTE_LENGTH = 2_000;

export const OUTCOMES = ['passed', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];
