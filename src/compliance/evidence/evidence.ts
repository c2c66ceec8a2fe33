export const EVIDENCE_STATUSES = ['passed', 'failed', 'error', 'not_applicable'] as const;
export type EvidenceStatus = (typeof EVIDENCE_STATUSES)[number];

/** Who triggered the check. */
export const TRIGGERS = ['schedule', 'operator', 'command_line'] as const;
export type Trigger = (typeof TRIGGERS)[number];
