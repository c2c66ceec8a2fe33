/** Retry-After of resources that clients poll: at most once a minute (contract section 1). */
export const POLL_AFTER_SECONDS = '60';
