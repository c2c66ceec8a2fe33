import { AGREEMENT_NAMES, type AgreementName, SOC2 } from '../../../config/soc2.js';
import type { AcceptanceRow } from './agreements.queries.js';

/** An agreement in force, and the latest acceptance of any of its versions. */
export interface AgreementState {
  readonly agreement: AgreementName;
  readonly title: string;
  /** The version in force. */
  readonly version: string;
  /** Where its text is published; null if it is not, so that nobody can tell what was accepted. */
  readonly url: string | null;
  /** Whether the version in force has been accepted. */
  readonly accepted: boolean;
  readonly acceptance: AcceptanceRow | null;
}

/** @param acceptances of the organization, latest first */
export function agreementStates(acceptances: readonly AcceptanceRow[]): AgreementState[] {
  return AGREEMENT_NAMES.map((agreement) => {
    const { title, version, url } = SOC2.agreements[agreement];
    const own = acceptances.filter((acceptance) => acceptance.agreement === agreement);
    const current = own.find((acceptance) => acceptance.version === version);
    return {
      agreement,
      title,
      version,
      url: url ?? null,
      accepted: current !== undefined,
      acceptance: current ?? own[0] ?? null,
    };
  });
}
