/** The request makes no sense; the message is one line for the operator, the exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
