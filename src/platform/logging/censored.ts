/** Names under which credentials are sent. */
const CREDENTIALS = new Set(['password', 'api_key', 'token', 'secret', 'authorization', 'cookie', 'x-api-key']);
/** Levels that are looked through: more than a line has, and an end where an object holds itself. */
const LEVELS = 6;

/** A copy of what a line of the log tells, without the credentials in it. pino's own `redact` takes ten times as long for as many levels. */
export function censored(fields: object, levels = LEVELS): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => {
      if (CREDENTIALS.has(name)) return [name, '********'];
      return [name, isRecord(value) && levels > 1 ? censored(value, levels - 1) : value];
    }),
  );
}

/** Not an error or a date, which JSON or a serializer writes in another form. */
function isRecord(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
