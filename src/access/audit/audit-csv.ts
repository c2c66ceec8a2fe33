import { csvField } from '../../platform/csv.js';
import type { AuditEventBody } from './audit.dto.js';

const HEADER =
  'sequence,occurred_at,actor_kind,actor_id,actor_name,address,action,target_kind,target_id,details,hash,id';

/**
 * The events as CSV (RFC 4180), with everything that their hashes cover except the organization's id. A text that a spreadsheet
 * would take for a formula gets a leading apostrophe, and so does a text that has apostrophes in front of such a formula: that way
 * readers know which apostrophe to remove.
 */
export function auditCsv(events: readonly AuditEventBody[]): string {
  const lines = events.map((event) =>
    [
      String(event.sequence),
      event.occurred_at.toISOString(),
      event.actor.kind,
      event.actor.id ?? '',
      event.actor.name,
      event.actor.address ?? '',
      event.action,
      event.target.kind,
      event.target.id,
      JSON.stringify(event.details),
      event.hash,
      event.id,
    ]
      .map(field)
      .join(','),
  );
  return `${[HEADER, ...lines].join('\r\n')}\r\n`;
}

function field(text: string): string {
  return csvField(/^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text);
}
