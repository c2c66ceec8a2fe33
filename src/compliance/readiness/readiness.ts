import type { AgreementBody } from '../dto/agreement.dto.js';
import type { Programme } from '../programme/programme.service.js';
import type { OrganizationFacts } from './readiness.queries.js';

/** An organization's readiness, with the programme of the platform that serves it: what customers do is judged for this organization only. */
export interface Readiness {
  readonly organization: OrganizationFacts;
  readonly agreements: readonly AgreementBody[];
  readonly programme: Programme;
}
