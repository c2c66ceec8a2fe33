import { MEMBER_ROLES } from '../../../platform/http/access-declaration.js';

/** The role of a member, as the API document describes it. */
export const ROLE_PROPERTY = {
  enum: MEMBER_ROLES,
  description:
    'Each role includes those before it. `viewer`: reads data and results. `member`: uploads demand, starts and schedules runs, and manages ' +
    'overrides, alerts and connectors. `admin`: manages workspaces, members, API keys and settings, deletes series, and reads the audit log ' +
    'and the SOC 2 readiness. `owner`: adds and changes owners, and deletes the organization.',
};
