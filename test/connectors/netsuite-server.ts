import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { jwtVerify } from 'jose';
import { type PlatformReply, type PlatformRequest, PlatformServer } from './platform-server.js';

interface Transaction {
  readonly id: number;
  readonly type: string;
  readonly trandate: string;
  changed: string;
  voided: string;
  readonly lines: readonly (readonly [sku: string, quantity: number])[];
}

const KINDS = {
  rsa: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  'P-256': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'P-384': () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  'P-521': () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
};
const ALGORITHMS = { rsa: 'PS256', 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' };

/** NetSuite: tokens for JWTs signed with the key of a certificate, SuiteQL as far as it is used. */
export class NetSuiteServer extends PlatformServer {
  readonly transactions: Transaction[] = [];
  readonly privateKey: string;
  private readonly publicKey: KeyObject;
  private readonly algorithm: string;
  /** Records that the role of the integration may not read. */
  hidden: readonly string[] = [];
  /** Whether items are kept in stock, so that lines beside those that sell them book what they cost. */
  stocked = false;
  certificate = 'the-certificate';
  token = '';
  tokens = 0;

  constructor(kind: keyof typeof KINDS) {
    super();
    const { publicKey, privateKey } = KINDS[kind]();
    this.publicKey = publicKey;
    this.privateKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    this.algorithm = ALGORITHMS[kind];
  }

  /** What a connector to the account is set to. */
  get settings() {
    return {
      account_id: '1234567_SB1',
      client_id: 'the-client-id',
      certificate_id: this.certificate,
      private_key: this.privateKey,
      api_url: this.url,
    };
  }

  /** @param changed seconds of 2026-11-01, by the account's clock */
  add(id: number, changed: number, type: string, lines: Transaction['lines']): Transaction {
    const time = new Date(Date.UTC(2026, 10, 1, 0, 0, changed)).toISOString().slice(0, 19);
    const transaction = { id, type, trandate: '2026-10-15', changed: time, voided: 'F', lines };
    this.transactions.push(transaction);
    return transaction;
  }

  protected async answer(request: PlatformRequest): Promise<PlatformReply> {
    if (request.path === '/services/rest/auth/oauth2/v1/token') return this.grant(request);
    if (request.headers['authorization'] !== `Bearer ${this.token}`) {
      return { status: 401, body: { 'o:errorDetails': [{ 'o:errorCode': 'INVALID_LOGIN' }] } };
    }
    if (request.headers['prefer'] !== 'transient') return { status: 400, body: {} };
    const { q } = JSON.parse(request.body) as { q: string };
    const hidden = this.hidden.find((record) => new RegExp(`(FROM|JOIN) ${record}\\b`).test(q));
    if (hidden !== undefined) {
      const detail = `Invalid search query. Search error occurred: Record '${hidden}' was not found.`;
      return { status: 400, body: { 'o:errorDetails': [{ detail, 'o:errorCode': 'INVALID_PARAMETER' }] } };
    }
    const [limit, offset] = [Number(request.query.get('limit')), Number(request.query.get('offset'))];
    if (q.includes('ROWNUM')) return { body: { items: [{ id: 1 }], hasMore: false } };
    const rows = q.includes('FROM transactionline') ? this.lines(q) : this.changed(q);
    return { body: { items: rows.slice(offset, offset + limit), hasMore: rows.length > offset + limit } };
  }

  private async grant({ body }: PlatformRequest): Promise<PlatformReply> {
    const given = new URLSearchParams(body);
    try {
      const { payload, protectedHeader } = await jwtVerify(given.get('client_assertion') ?? '', this.publicKey, {
        issuer: 'the-client-id',
        audience: `${this.url}/services/rest/auth/oauth2/v1/token`,
        algorithms: [this.algorithm],
        maxTokenAge: '1h',
      });
      if (protectedHeader.kid !== this.certificate || !String(payload['scope']).includes('rest_webservices'))
        throw new Error();
    } catch {
      return { status: 400, body: { error: 'invalid_grant' } };
    }
    this.tokens += 1;
    this.token = `token-${this.tokens}`;
    return { body: { access_token: this.token, expires_in: '3600', token_type: 'bearer' } };
  }

  private changed(q: string): unknown[] {
    const types = [...(/type IN \(([^)]*)\)/.exec(q)?.[1] ?? '').matchAll(/'(\w+)'/g)].map((match) => match[1]);
    const after = /TO_DATE\('([^']+)'/.exec(q)![1]!;
    const id = Number(/AND id > (\d+)/.exec(q)![1]);
    return this.transactions
      .filter((one) => types.includes(one.type) && (one.changed > after || (one.changed === after && one.id > id)))
      .sort((a, b) => (a.changed === b.changed ? a.id - b.id : a.changed < b.changed ? -1 : 1))
      .map(({ id: own, trandate, changed, voided }) => ({ id: String(own), trandate, changed, voided }));
  }

  private lines(q: string): unknown[] {
    const ids = (/IN \(([\d, ]+)\)/.exec(q)?.[1] ?? '').split(', ').map(Number);
    const times = this.stocked && !q.includes("iscogs = 'F'") ? 2 : 1;
    return this.transactions
      .filter(({ id }) => ids.includes(id))
      .flatMap(({ id, lines }) =>
        Array.from({ length: times }, () => lines)
          .flat()
          .map(([sku, quantity], at) => ({
            transaction: String(id),
            item: String(at),
            sku,
            name: `Item ${sku}`,
            quantity: String(quantity),
          })),
      );
  }
}
