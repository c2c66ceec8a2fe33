import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MailOutbox } from '../../src/platform/mail/mail-outbox.js';
import { adminWithin } from '../support/admin.js';
import { AppClient } from '../support/app-client.js';
import { createMember, createOrganization } from '../support/builders.js';
import { speedUpRounds } from '../support/time/fast-rounds.js';
import { MailServer } from '../support/mail/mail-server.js';
import { commandSettings, mailSettings, startMailedService, untilMailSent } from '../support/mail/mailed-service.js';
import type { TestService } from '../support/test-service.js';

describe('notices about an organization', () => {
  speedUpRounds(MailOutbox);
  const mails = new MailServer();
  let service: TestService;
  beforeAll(async () => {
    service = await startMailedService(mails);
  });
  afterAll(() => service.close());

  /** An organization with an owner, an admin and a member. */
  async function scene() {
    mails.received.length = 0;
    const { id, name } = await createOrganization(service.database);
    const owner = await createMember(service.database, id, 'owner');
    const admin = await createMember(service.database, id, 'admin');
    await createMember(service.database, id, 'member');
    return { id, name, owner, admin, client: new AppClient(service.url, owner.token) };
  }
  /** Who got mails, once all are sent. */
  const recipients = async (): Promise<string[]> => {
    await untilMailSent(service);
    return mails.received.flatMap(({ to }) => to).sort();
  };

  it('tell all members once that they need a second factor from now on', async () => {
    const { id, name, owner, admin, client } = await scene();
    await service.database.execute('UPDATE users SET totp_confirmed_at = now() WHERE id = $1', [owner.id]);
    const ask = () => client.patch(`/orgs/${id}`, { second_factor_required: true });
    for (const _ of [1, 2]) expect((await ask()).status).toBe(200);
    const addresses = await recipients();
    expect(addresses).toHaveLength(3);
    expect(addresses).toEqual(expect.arrayContaining([owner.email, admin.email]));
    const { content } = await mails.mailTo(admin.email, `${name} requires a second factor`);
    expect(content.replaceAll(/\s+/g, ' ')).toContain(
      `${owner.email} has turned on the second factor requirement of ${name}`,
    );
  });

  describe('of its deletion', () => {
    it('tell admins and owners who requested it and until when it can be cancelled', async () => {
      const { id, name, owner, admin, client } = await scene();
      expect((await client.delete(`/orgs/${id}`)).status).toBe(202);
      expect((await client.delete(`/orgs/${id}`)).status).toBe(202); // unchanged: nobody is notified again
      expect(await recipients()).toEqual([admin.email, owner.email].sort());
      const { content } = await mails.mailTo(admin.email, `${owner.email} has requested the deletion of ${name}`);
      expect(content.replaceAll(/\s+/g, ' ')).toMatch(/An owner can cancel the deletion until \d+ \w+ 20\d\d \(UTC\)/);

      expect((await client.post(`/orgs/${id}/restore`)).status).toBe(200);
      await mails.mailTo(admin.email, `${owner.email} has canceled the deletion of ${name}`);
      expect(await recipients()).toHaveLength(4);
    });

    it('are also sent when an operator requests it', async () => {
      const { id, name, owner } = await scene();
      const environment = { ...mailSettings(mails), ...commandSettings(service) };
      expect((await adminWithin(environment, 'org', 'delete', '--organization', id)).code).toBe(0);
      await mails.mailTo(owner.email, `An operator of this installation has requested the deletion of ${name}`);
    });

    it('mention no cancellation to owners of a suspended organization', async () => {
      const { id, name, owner } = await scene();
      const environment = { ...mailSettings(mails), ...commandSettings(service) };
      const org = async (command: string): Promise<string> => {
        expect((await adminWithin(environment, 'org', command, '--organization', id)).code).toBe(0);
        const subject = command === 'delete' ? 'will be deleted on' : 'was canceled';
        return (await mails.mailTo(owner.email, `${name} ${subject}`)).content.replaceAll(/\s+/g, ' ');
      };
      await service.database.execute('UPDATE organizations SET suspended_at = now() WHERE id = $1', [id]);
      expect(await org('delete')).toMatch(/only an operator of this installation can cancel the deletion, until/);
      expect(await org('restore')).toContain('It is still suspended.');
    });
  });
});
