import { CHECK_NAMES, type CheckName } from '../../../config/soc2.js';
import { COMMAND_LINE } from '../actor.js';
import { type Attestation, attestationOf, faultsOf } from '../../compliance/attestations/attestation.js';
import { findAttestation } from '../../compliance/attestations/attestations.queries.js';
import { recordAttestation } from '../../compliance/attestations/record-attestation.js';
import { CHECKS_OF_THE_API } from '../../compliance/checks/index.js';
import { coverageOf, statusOfControls } from '../../compliance/evidence/coverage.js';
import { latestEvidence } from '../../compliance/evidence/evidence.queries.js';
import { runChecksFor } from '../../compliance/evidence/run-checks-for.js';
import { currentPhase } from '../../compliance/programme/phase.js';
import { readPhases } from '../../compliance/programme/phases.queries.js';
import { Clock } from '../../platform/clock.js';
import { SCHEMA } from '../../schema.js';
import type { AdminContext } from '../context.js';
import type { Answer } from '../output/answer.js';
import { UsageError } from '../input/usage-error.js';

/** The phase of the program and how far evidence covers the controls. */
export async function showComplianceCommand({ database, now }: AdminContext): Promise<Answer> {
  const { percent, ...counts } = coverageOf(statusOfControls(await latestEvidence(database), now));
  return { phase: currentPhase(await readPhases(database)), coverage_percent: percent, ...counts };
}

const OF_THE_API =
  'It inspects the settings and key files of the API process, which this command does not share. The API runs it every six hours, and on POST /admin/compliance/checks; its last evidence stays valid.';

/** Runs all checks, or one, and reports the result of each; those about the API itself are skipped. */
export async function runChecksCommand(
  { database, databaseUrl, settings, secrets }: AdminContext,
  { check }: { readonly check?: CheckName },
): Promise<Answer> {
  const installation = { settings, secrets, schema: SCHEMA, databaseUrl };
  const wanted = check === undefined ? CHECK_NAMES : [check];
  const names = wanted.filter((name) => !CHECKS_OF_THE_API.includes(name));
  const skipped = wanted.filter((name) => CHECKS_OF_THE_API.includes(name));
  if (names.length === 0) throw new UsageError(`${skipped.join(', ')} cannot run here. ${OF_THE_API}`);
  const request = { actor: COMMAND_LINE, trigger: 'command_line', names } as const;
  const found = await runChecksFor(database, new Clock(), installation, request);
  if (found === undefined) throw new UsageError('another process is running the checks; try again in a minute');
  return [
    ...found.map(({ check, status, detail }) => ({ check, status, detail })),
    ...skipped.map((name) => ({ check: name, status: 'skipped', detail: OF_THE_API })),
  ];
}

export interface AttestOptions {
  readonly kind: Attestation['kind'];
  readonly by: string;
  readonly at?: Date;
  readonly outcome?: Attestation['outcome'];
  readonly reference?: string;
  readonly note?: string;
  readonly sha256?: string;
}

const OPTION_OF = { performed_at: '--at', reference: '--reference' } as const;

/** Records an act; the same kind, time and reference only once, and never silently with a different outcome. */
export function attestCommand({ database, now }: AdminContext, options: AttestOptions): Promise<Answer> {
  const { kind, by, at, outcome, reference, note, sha256 } = options;
  const given = { kind, performed_by: by, performed_at: at, outcome, reference, note, artefact_sha256: sha256 };
  const entry = attestationOf(given, now);
  const [fault] = faultsOf(entry, now);
  if (fault) throw new UsageError(`${OPTION_OF[fault.param]} ${fault.message}`);
  return database.transaction(async (tx) => {
    const made = await recordAttestation(tx, entry, COMMAND_LINE, now);
    const known = made ?? (await findAttestation(tx, entry));
    if (known && known.outcome !== entry.outcome) {
      throw new UsageError(
        `an entry with this kind, time and reference already exists with the outcome ${known.outcome}; correct it by adding one with a later --at`,
      );
    }
    return { ...known, created: made !== undefined };
  });
}
