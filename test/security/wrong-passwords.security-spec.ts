import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { median } from '../../src/numeric/sample-quantile.js';
import { addMember, createOrganization, createUser, TEST_PASSWORD } from '../support/builders.js';
import { MailServer } from '../support/mail/mail-server.js';
import { rankTest } from '../support/rank-test.js';
import { type RealService, startRealService } from '../support/processes/real-service.js';

const ATTEMPTS = Number(process.env['WRONG_PASSWORDS'] ?? 1_000);
/** Standard deviations that chance may put between two samples drawn alike: once in 15,000 runs. */
const NOISE = 4;

/** Figures for whoever runs the suite. */
const tell = (line: string): void => void process.stdout.write(`  ${line}\n`);

describe(`${ATTEMPTS} wrong passwords`, () => {
  const mails = new MailServer();
  let service: RealService; // its own process: what it does after a reply delays nobody here
  let known: { id: string; email: string };
  beforeAll(async () => {
    await mails.start();
    service = await startRealService({
      TRUSTED_PROXIES: '127.0.0.0/8',
      REQUESTS_PER_MINUTE: '10000000',
      SMTP_URL: mails.url,
      SMTP_FROM: 'no-reply@example.com',
      PUBLIC_URL: 'https://forecasts.example.com',
    });
    known = await createUser(service.database);
    // failures are noted in the log of each of its organizations
    for (let organization = 0; organization < 5; organization += 1) {
      const { id } = await createOrganization(service.database);
      await addMember(service.database, id, known.id, 'viewer');
    }
  });
  afterAll(async () => {
    await service.close();
    await mails.stop();
  });

  let addresses = 0;
  /** Who is not yet slowed. */
  const freshAddress = () => `2001:db8:0:${(addresses += 1).toString(16)}::1`;
  async function send(path: string, body: object, address: string) {
    const begun = performance.now();
    const reply = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify(body),
    });
    await reply.text();
    return { status: reply.status, ms: performance.now() - begun, wait: Number(reply.headers.get('retry-after')) };
  }
  const login = (email: string, password: string, address = freshAddress()) =>
    send('/auth/login', { email, password }, address);

  it('from one address are throttled, and do not lock the right user out elsewhere', async () => {
    const attacker = freshAddress();
    const begun = performance.now();
    let tried = 0;
    let longest = 0;
    for (let guess = 0; guess < ATTEMPTS; guess += 1) {
      const { status, wait } = await login(known.email, `guess ${guess}`, attacker);
      expect([401, 429]).toContain(status);
      if (status === 401) tried += 1;
      longest = Math.max(longest, wait);
      if (guess % 100 === 50) expect((await login(known.email, TEST_PASSWORD)).status).toBe(200);
    }
    const seconds = (performance.now() - begun) / 1_000;
    tell(
      `${ATTEMPTS} guesses in ${seconds.toFixed(1)} s: ${tried} were checked, the others told to wait up to ${longest} s`,
    );
    // five are free, the sixth begins the wait, and each doubles it
    expect(tried).toBeLessThanOrEqual(6 + Math.log2(seconds / 2 + 1));
    // whatever is left of the wait by now
    await service.database.execute(
      `UPDATE sign_in_attempts SET blocked_until = now() + interval '5 minutes' WHERE blocked_until IS NOT NULL`,
    );
    expect((await login(known.email, TEST_PASSWORD, attacker)).status).toBe(429);
    expect((await login(known.email, TEST_PASSWORD)).status).toBe(200);
  });

  /** Replies to known and to unknown accounts in random order, each from somewhere that is not slowed. */
  async function compare(
    what: string,
    each: number,
    ask: (isKnown: boolean, index: number) => Promise<{ ms: number; status: number }>,
    status: number,
  ): Promise<void> {
    for (let warmUp = 0; warmUp < 10; warmUp += 1) await ask(false, -warmUp - 1);
    const order = Array.from({ length: 2 * each }, (_, index) => ({ isKnown: index < each, by: Math.random() })).sort(
      (one, other) => one.by - other.by,
    );
    const times = { known: [] as number[], unknown: [] as number[] };
    for (const [index, { isKnown }] of order.entries()) {
      const reply = await ask(isKnown, index);
      expect(reply.status).toBe(status);
      times[isKnown ? 'known' : 'unknown'].push(reply.ms);
      await sleep(5); // what is done after a reply is not to fall on the next one
    }
    const { share, z } = rankTest(times.known, times.unknown);
    const [usual, other] = [median(times.known), median(times.unknown)];
    tell(
      `${what}: median ${usual.toFixed(2)} ms for ${each} known, ${other.toFixed(2)} ms for ${each} unknown accounts; known slower in ${(100 * share).toFixed(1)} % of pairs (z = ${z.toFixed(2)})`,
    );
    expect(Math.abs(z)).toBeLessThan(NOISE);
    // the measurement would see it, were the work left out for unknown accounts: hashing is most of the time
    const shortened = times.unknown.map((ms) => ms / 4);
    expect(rankTest(times.known, shortened).z).toBeGreaterThan(NOISE);
  }

  it('take as long for a known account as for an unknown one', () =>
    compare(
      'sign-in',
      ATTEMPTS / 2,
      (isKnown, index) => login(isKnown ? known.email : `nobody-${index}@example.com`, 'not the password'),
      401,
    ));

  it('that users ask to reset are answered as fast for a known account as for an unknown one', async () => {
    const each = Math.ceil(ATTEMPTS / 4);
    const emails = new Map<number, string>();
    for (let index = 0; index < 2 * each; index += 1) emails.set(index, (await createUser(service.database)).email);
    await compare(
      'password reset',
      each,
      (isKnown, index) =>
        send(
          '/auth/password-reset',
          { email: isKnown ? emails.get(index) : `nobody-${index}@example.com` },
          freshAddress(),
        ),
      202,
    );
  });
});
