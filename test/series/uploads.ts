import type { Database } from '../../src/platform/database/database.js';

export interface UploadReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown> & {
    readonly import_id?: string;
    readonly errors?: readonly { param: string; message: string }[];
  };
}

/** Sends a body to an upload route as given, bytes and headers. */
export async function upload(
  url: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>>,
): Promise<UploadReply> {
  const reply = await fetch(url, {
    method: 'POST',
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers,
  });
  return { status: reply.status, headers: reply.headers, body: (await reply.json()) as UploadReply['body'] };
}

/** All that an upload could have changed, to compare before and after. */
export async function storedDemand(database: Database): Promise<unknown> {
  return {
    demand: await database.query(
      `SELECT unique_id, days::text, quantities::text, observed_months FROM demand JOIN series ON series.id = series_id
       ORDER BY unique_id, year`,
    ),
    series: await database.query(`SELECT * FROM series ORDER BY id`),
    imports: await database.query(`SELECT id, state FROM imports ORDER BY id`),
    chunks: await database.query(`SELECT import_id, position FROM import_chunks`),
  };
}

/** Stored values of a series as `day=quantity`. */
export async function valuesOf(database: Database, workspaceId: string, uniqueId: string): Promise<string[]> {
  const rows = await database.query<{ value: string }>(
    `SELECT entry.day || '=' || entry.quantity AS value
     FROM series JOIN demand ON demand.series_id = series.id
     CROSS JOIN LATERAL unnest(days, quantities) AS entry (day, quantity)
     WHERE series.workspace_id = $1 AND unique_id = $2 ORDER BY entry.day`,
    [workspaceId, uniqueId],
  );
  return rows.map((row) => row.value);
}
