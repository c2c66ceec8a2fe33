import { describe, expect, it } from '@jest/globals';
import { auditCsv } from './audit-csv.js';
import type { AuditEventBody } from './audit.dto.js';

function event(name: string, overrides: Partial<AuditEventBody> = {}): AuditEventBody {
  return {
    id: '0197a1b2-0000-7000-8000-000000000001',
    sequence: 7,
    occurred_at: new Date('2026-11-22T06:00:00.000Z'),
    actor: { kind: 'api_key', id: 'k', name, address: '192.0.2.1' },
    action: 'run.started',
    target: { kind: 'run', id: 'r' },
    details: {},
    hash: 'a1',
    ...overrides,
  };
}

/** The actor's name as written to the file. */
const written = (name: string) =>
  auditCsv([event(name)])
    .split('api_key,k,')[1]!
    .split(',192.0.2.1')[0];

describe('the audit log as CSV', () => {
  it('has a header and one line per event, each ending with CRLF', () => {
    const actor = { kind: 'system', id: null, name: 'system', address: null } as const;
    expect(auditCsv([event('a'), event('b', { sequence: 8, actor, details: { runs: 2, note: 'x' } })])).toBe(
      'sequence,occurred_at,actor_kind,actor_id,actor_name,address,action,target_kind,target_id,details,hash,id\r\n' +
        '7,2026-11-22T06:00:00.000Z,api_key,k,a,192.0.2.1,run.started,run,r,{},a1,0197a1b2-0000-7000-8000-000000000001\r\n' +
        '8,2026-11-22T06:00:00.000Z,system,,system,,run.started,run,r,"{""runs"":2,""note"":""x""}",a1,0197a1b2-0000-7000-8000-000000000001\r\n',
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('prevents spreadsheets from evaluating %j as a formula', (name) => {
    expect(written(name)).toBe(`'${name}`);
  });

  it.each(["'=1+1", "''-1"])('prefixes %j too, so that it is not mistaken for a prefixed formula', (name) => {
    expect(written(name)).toBe(`'${name}`);
  });

  it('keeps a formula with commas, quotes and line breaks in one field', () => {
    expect(written('=HYPERLINK("http://x","a")')).toBe(`"'=HYPERLINK(""http://x"",""a"")"`);
    expect(written('\r=1')).toBe(`"'\r=1"`);
    expect(written('a\nb')).toBe('"a\nb"');
  });

  it.each(['plain', "O'Hara", "'quoted'", 'a=b', 'x-y', ' =1'])('leaves %j unchanged', (name) => {
    expect(written(name)).toBe(name);
  });
});
