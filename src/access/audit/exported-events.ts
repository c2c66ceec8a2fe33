/**
 * What is recorded about an export of events: how many, and the numbers of the first and the last.
 * @param sequences in chain order, ascending or descending
 */
export function exportedEvents(sequences: readonly number[]): Record<string, unknown> {
  const [one, other] = [sequences[0], sequences.at(-1)];
  if (one === undefined || other === undefined) return { events: 0 };
  return { events: sequences.length, from_sequence: Math.min(one, other), to_sequence: Math.max(one, other) };
}
