/**
 * Milliseconds within which a connection must open. On a machine under load that takes seconds, above all during a start, which
 * is itself a load.
 */
export const CONNECTION_PATIENCE_MS = 10_000;
