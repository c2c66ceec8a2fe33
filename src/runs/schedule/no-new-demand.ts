import { Injectable } from '@nestjs/common';
import { OrganizationMails } from '../../access/index.js';
import type { Transaction } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { dayInWords } from '../../platform/in-words.js';
import type { UnchangedRun } from './schedule.queries.js';

/** Why a firing started no run, for people. */
export const noNewDemand = ({ createdAt }: UnchangedRun): string =>
  `The demand has not changed since the scheduled run of ${dayInWords(createdAt)}, whose forecasts still hold. No run was started or charged.`;

/** Emails the admins of an organization that a schedule has started no run for want of new demand: its uploads may have stopped. */
@Injectable()
export class NoNewDemandNotice {
  constructor(private readonly mails: OrganizationMails) {}

  /** Runs in the transaction of the firing. */
  post(tx: Transaction, { organizationId, workspaceId }: WorkspaceTenant, unchanged: UnchangedRun): Promise<void> {
    return this.mails.notify(tx, organizationId, {
      kind: 'no_new_demand',
      role: 'admin',
      compose: (organization) => ({
        subject: `No new demand for the monthly forecast of ${unchanged.workspace}`,
        paragraphs: [
          `The monthly forecast of the workspace ${unchanged.workspace} of ${organization} was due. ${noNewDemand(unchanged)}`,
          `If demand should have been uploaded since, check the job or the connector that does it, and start a run afterwards. If no more is to come, delete the schedule: DELETE /workspaces/${workspaceId}/schedule.`,
          'The schedule looks again each month, and starts a run once there is new demand. Until then you get no further email about this.',
        ],
      }),
    });
  }
}
