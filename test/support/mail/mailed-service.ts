import { TEST_ENCRYPTION_KEY } from '../builders.js';
import type { MailServer } from './mail-server.js';
import { eventually } from '../eventually.js';
import { startTestService, type TestService, type TestServiceOptions } from '../test-service.js';

export const PUBLIC_URL = 'https://forecasts.example.com';

/** Settings that make a service send its emails to the server. */
export const mailSettings = (mails: MailServer) => ({
  SMTP_URL: mails.url,
  SMTP_FROM: 'Forecasts <no-reply@example.com>',
  PUBLIC_URL,
});

/** Starts the server and a service that sends its emails there; closing the service stops the server too. */
export async function startMailedService(mails: MailServer, options: TestServiceOptions = {}): Promise<TestService> {
  await mails.start();
  const environment = { ...mailSettings(mails), ...options.environment };
  const service = await startTestService({ ...options, environment });
  const close = async (): Promise<void> => {
    try {
      await service.close();
    } finally {
      await mails.stop();
    }
  };
  return { ...service, close };
}

/** Waits until the service has no pending emails: those of one test must not arrive during the next. */
export const untilMailSent = (service: TestService): Promise<true> =>
  eventually('no mail waits', async () => {
    const waiting = await service.database.query(`SELECT FROM mail_messages WHERE status = 'pending'`);
    return waiting.length === 0 ? true : undefined;
  });

/** Settings of the admin command line for the service's database. */
export const commandSettings = ({ databaseUrl, settings }: TestService) => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: settings.DATA_DIR,
  API_KEY_PEPPER: settings.API_KEY_PEPPER!,
  ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
});
