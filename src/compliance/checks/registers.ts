import { SOC2 } from '../../../config/soc2.js';
import { DAY_MS } from '../../platform/durations.js';
import { ATTESTATION_KINDS, type AttestationKind } from '../attestations/attestation-kinds.js';
import { findLatestAttestation, findLatestRelease } from '../attestations/attestations.queries.js';
import type { AttestationBody } from '../dto/registers.dto.js';
import { type Check, failed, type Finding, passedIf } from './check.js';

const { policy } = SOC2;

/** Checks that the latest entry of a register is recent enough and has a good outcome. */
const register =
  (kind: AttestationKind, days: number): Check =>
  async ({ db, now }) => {
    const latest = await findLatestAttestation(db, kind);
    if (!latest) return failed(`No ${ATTESTATION_KINDS[kind]} is on record.`);
    const young = now.getTime() - latest.performed_at.getTime() <= days * DAY_MS;
    return judge(latest, young, `must be no older than ${days} days`);
  };

export const backupRecent = register('backup', policy.backup_days);
export const restoreDrill = register('restore_drill', policy.restore_drill_days);
export const dependencyScan = register('dependency_scan', policy.dependency_scan_days);
export const incidentReview = register('incident_review', policy.incident_review_days);
export const vendorReview = register('vendor_review', policy.vendor_review_days);
export const operatorAccessReviewed = register('access_review', policy.access_review_days);

/** Checks that the latest release has a test result on record. */
export const releaseCi: Check = async ({ db, now }) => {
  const version = await findLatestRelease(db, now);
  if (version === undefined) return failed('No release is recorded.');
  const latest = await findLatestAttestation(db, 'release_ci', version);
  if (!latest) return failed(`No test result of the latest release ${version} is on record.`);
  return judge(latest, true, `of the latest release ${version}`);
};

function judge(entry: AttestationBody, timely: boolean, requirement: string): Finding {
  const hash = entry.artefact_sha256 === null ? 'no artifact' : `artifact SHA-256 ${entry.artefact_sha256}`;
  return passedIf(
    timely && entry.outcome === 'passed',
    `The latest ${ATTESTATION_KINDS[entry.kind]} was performed at ${entry.performed_at.toISOString()} by ${entry.performed_by} and ${entry.outcome} (${requirement}); ${hash}.`,
  );
}
