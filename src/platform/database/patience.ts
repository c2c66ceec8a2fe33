/**
 * Milliseconds in which a connection has to be open. On a machine under load that takes seconds, most of all during a start,
 * which is busy itself.
 */
export const CONNECTION_PATIENCE = 10_000;
