import type { Maker } from '../operation.js';
import * as alerts from './alerts.js';
import * as community from './community.js';
import { deleteDemand, deleteSeries, describeSeries, editSeries, readDemand, upload } from './demand.js';
import * as keys from './keys.js';
import * as members from './members.js';
import * as organizations from './organizations.js';
import * as overrides from './overrides.js';
import { cancelRun, readForecasts, readRun, readUsage, startRun } from './runs.js';
import * as schedule from './schedule.js';
import * as workspaces from './workspaces.js';

/** Everything that sequences are made of, by the name that a failure tells. */
export const MAKERS: Readonly<Record<string, Maker>> = {
  ...{ upload, describeSeries, readDemand, editSeries, deleteSeries, deleteDemand },
  ...{ startRun, cancelRun, readRun, readForecasts, readUsage },
  ...overrides,
  ...alerts,
  ...schedule,
  ...keys,
  ...members,
  ...workspaces,
  ...organizations,
  ...community,
};
