/** Retry-After of what a client polls: at most once a minute (contract section 1). */
export const POLL_AFTER_SECONDS = '60';
