import pg from 'pg';

/** The forms in which a secret may be leaked. */
function formsOf(secret: string | Buffer): readonly string[] {
  const bytes = Buffer.isBuffer(secret) ? secret : Buffer.from(secret);
  const unpadded = bytes.toString('base64').replace(/=+$/, '');
  const forms = [bytes.toString('hex'), unpadded.slice(0, -1), bytes.toString('base64url').slice(0, -1)];
  return Buffer.isBuffer(secret) ? forms : [secret, encodeURIComponent(secret), ...forms];
}

/** Planted secrets, by description. */
export class Canaries {
  private readonly planted = new Map<string, string | Buffer>();

  /** @returns the secret itself */
  plant<Secret extends string | Buffer>(what: string, secret: Secret): Secret {
    if (secret.length < 12) throw new Error(`${what} is too short to be searched for`);
    this.planted.set(what, secret);
    return secret;
  }

  get names(): readonly string[] {
    return [...this.planted.keys()];
  }

  /** The secrets found in the text, with some surrounding text. */
  foundIn(text: string): string[] {
    const lower = text.toLowerCase();
    return [...this.planted].flatMap(([what, secret]) =>
      formsOf(secret).flatMap((form) => {
        const at = form === '' ? -1 : lower.indexOf(form.toLowerCase());
        return at < 0 ? [] : [`${what}: …${text.slice(Math.max(0, at - 80), at + form.length + 40)}…`];
      }),
    );
  }
}

/** Every row of every table in the database as text, with bytes in hexadecimal, as in a dump. */
export async function dumpDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ place: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS place FROM information_schema.tables
       WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    const dumps: string[] = [];
    for (const { place } of tables) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${place} t`);
      dumps.push(`-- ${place}`, ...rows.map(({ row }) => row));
    }
    return dumps.join('\n');
  } finally {
    await client.end();
  }
}
