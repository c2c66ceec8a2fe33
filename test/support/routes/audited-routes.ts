import { randomUUID } from 'node:crypto';
import { SOC2 } from '../../../config/soc2.js';
import { putEmailChange } from '../../../src/access/account/email-changes.queries.js';
import { insertPasswordReset } from '../../../src/access/password-reset/password-resets.queries.js';
import { hashLinkToken } from '../../../src/access/users/link-token.js';
import type { Queryable } from '../../../src/platform/database/database.js';
import { newId } from '../../../src/platform/ids.js';
import { currentCode } from '../authenticator.js';
import { type Api, demandCsv } from '../api.js';
import type { AppClient } from '../app-client.js';
import { TEST_PASSWORD } from '../builders.js';

/** Everything that a call may need, created separately for each route. */
export interface Stage {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly owner: AppClient;
  readonly ownerEmail: string;
  readonly operator: AppClient;
  /** A viewer of the organization, with a second factor. */
  readonly viewer: AppClient;
  readonly viewerId: string;
  readonly nobody: AppClient;
  readonly api: Api;
  readonly database: Queryable;
}

interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** The action recorded in the audit log, and a call of the route that performs it. */
export interface AuditedRoute {
  readonly action: string;
  readonly act: (stage: Stage) => Promise<Reply>;
}

const audited = (action: string, act: AuditedRoute['act']): AuditedRoute => ({ action, act });
const org = (stage: Stage, rest = ''): string => `/orgs/${stage.organizationId}${rest}`;
const workspace = (stage: Stage, rest: string): string => `/workspaces/${stage.workspaceId}${rest}`;
const idIn = ({ body }: Reply): string => String(body['id']);

const newKey = async (stage: Stage) => idIn(await stage.owner.post(org(stage, '/api-keys'), { name: 'ERP' }));
const invite = (stage: Stage) =>
  stage.owner.post(org(stage, '/invitations'), { email: 'guest@example.com', role: 'viewer' });
const newWorkspace = async (stage: Stage) =>
  idIn(await stage.owner.post(org(stage, '/workspaces'), { name: 'Second' }));
const upload = (stage: Stage) => stage.api.upload(stage.workspaceId, demandCsv(1, 24));
const newRun = async (stage: Stage, path: string) => {
  await upload(stage);
  return stage.api.post(path, { workspace_id: stage.workspaceId });
};
const putOverride = async (stage: Stage) => {
  await upload(stage);
  const override = { series_id: 'P0000', month: '2027-01-01', kind: 'absolute', value: 5, reason: 'a promotion' };
  return stage.owner.put(workspace(stage, '/overrides'), override);
};
const putSchedule = (stage: Stage) => stage.owner.put(workspace(stage, '/schedule'), { day: 1, hour: 6 });
const newTopic = async (stage: Stage) =>
  idIn(await stage.owner.post('/community/topics', { category: 'ideas', title: 'A topic', body: 'Some text' }));
const block = (stage: Stage) =>
  stage.operator.put(`/admin/community/blocks/${stage.viewerId}`, { reason: 'advertising' });
const newRelease = (stage: Stage) =>
  stage.operator.post('/admin/releases', { version: '9.9.9', released_on: '2026-11-21', title: 'T', notes: 'N' });

const newConnector = (stage: Stage) =>
  stage.owner.post(workspace(stage, '/connectors'), {
    platform: 'shopify',
    name: 'Shop',
    settings: { shop: `${randomUUID()}.myshopify.com`, access_token: 'shpat_1', api_url: 'https://127.0.0.1' },
  });
/** A new connector to a shop, whose access token is secret. @returns its path */
export const connectorPath = async (stage: Stage) => workspace(stage, `/connectors/${idIn(await newConnector(stage))}`);

const OWN_TEXT = 'what people write in the forum stands there under their name; moderation is audited';

/** For every route that changes something: the action recorded in the audit log, or why there is none. */
export const AUDITED_ROUTES: Readonly<Record<string, AuditedRoute | string>> = {
  'POST /auth/login': audited('session.opened', ({ nobody, ownerEmail: email }) =>
    nobody.post('/auth/login', { email, password: TEST_PASSWORD }),
  ),
  'POST /auth/logout': audited('session.closed', ({ owner }) => owner.post('/auth/logout')),
  'DELETE /auth/sessions': audited('session.closed_all', ({ owner }) => owner.delete('/auth/sessions')),
  'DELETE /auth/sessions/:session_id': audited('session.closed', async ({ owner }) => {
    const [session] = (await owner.get<{ id: string }[]>('/auth/sessions')).body;
    return owner.delete(`/auth/sessions/${session!.id}`);
  }),
  'POST /auth/password': audited('password.changed', ({ owner }) =>
    owner.post('/auth/password', { current_password: TEST_PASSWORD, new_password: 'another long password' }),
  ),
  'PATCH /auth/me': audited('user.renamed', ({ owner }) => owner.patch('/auth/me', { name: 'Renamed' })),
  'POST /auth/me/delete': audited('user.deleted', ({ viewer }) =>
    viewer.post('/auth/me/delete', { password: TEST_PASSWORD, code: currentCode() }),
  ),
  'POST /auth/email': 'noted after the reply, as `email.change_requested`: test/access/account.e2e-spec.ts',
  'POST /auth/email/confirm': audited('email.changed', async ({ nobody, database, viewerId: userId }) => {
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + 60_000);
    const email = `${userId}@new.example`;
    await putEmailChange(database, { userId, email, tokenHash: hashLinkToken('fe_known'), createdAt, expiresAt });
    return nobody.post('/auth/email/confirm', { token: 'fe_known' });
  }),
  'POST /auth/second-factor': 'a secret that is not confirmed changes nothing about signing in',
  'POST /auth/second-factor/confirm': audited('second_factor.turned_on', async ({ owner }) => {
    const { body } = await owner.post<{ secret: string }>('/auth/second-factor', { password: TEST_PASSWORD });
    return owner.post('/auth/second-factor/confirm', { code: currentCode(body.secret) });
  }),
  'POST /auth/second-factor/recovery-codes': audited('second_factor.recovery_codes_renewed', ({ viewer }) =>
    viewer.post('/auth/second-factor/recovery-codes', { password: TEST_PASSWORD, code: currentCode() }),
  ),
  'POST /auth/second-factor/remove': audited('second_factor.turned_off', ({ viewer }) =>
    viewer.post('/auth/second-factor/remove', { password: TEST_PASSWORD, code: currentCode() }),
  ),
  'POST /auth/password-reset': 'noted after the reply, as `password.reset_requested`: test/access/mail.e2e-spec.ts',
  'POST /auth/password-reset/confirm': audited('password.reset', async ({ nobody, database, viewerId: userId }) => {
    const now = new Date();
    const expiresAt = new Date(now.getTime() + 60_000);
    const reset = { id: newId(), userId, tokenHash: hashLinkToken('fr_known'), createdAt: now, expiresAt };
    await insertPasswordReset(database, reset);
    return nobody.post('/auth/password-reset/confirm', { token: 'fr_known', new_password: 'another long password' });
  }),
  'POST /auth/invitations/accept': audited('invitation.accepted', async (stage) => {
    const { token } = (await invite(stage)).body;
    return stage.nobody.post('/auth/invitations/accept', { token, name: 'Guest', password: 'a compiler is born' });
  }),

  'PATCH /orgs/:org_id': audited('organization.changed', (stage) =>
    stage.owner.patch(org(stage), { retention_months: 12 }),
  ),
  'DELETE /orgs/:org_id': audited('organization.deletion_requested', (stage) => stage.owner.delete(org(stage))),
  'POST /orgs/:org_id/restore': audited('organization.deletion_canceled', async (stage) => {
    await stage.owner.delete(org(stage));
    return stage.owner.post(org(stage, '/restore'));
  }),
  'PATCH /orgs/:org_id/members/:user_id': audited('member.role_changed', (stage) =>
    stage.owner.patch(org(stage, `/members/${stage.viewerId}`), { role: 'member' }),
  ),
  'DELETE /orgs/:org_id/members/me': audited('member.removed', (stage) =>
    stage.viewer.delete(org(stage, '/members/me')),
  ),
  'DELETE /orgs/:org_id/members/:user_id': audited('member.removed', (stage) =>
    stage.owner.delete(org(stage, `/members/${stage.viewerId}`)),
  ),
  'POST /orgs/:org_id/members/:user_id/review': audited('member.reviewed', (stage) =>
    stage.owner.post(org(stage, `/members/${stage.viewerId}/review`)),
  ),
  'POST /orgs/:org_id/invitations': audited('invitation.created', invite),
  'DELETE /orgs/:org_id/invitations/:invitation_id': audited('invitation.revoked', async (stage) =>
    stage.owner.delete(org(stage, `/invitations/${idIn(await invite(stage))}`)),
  ),
  'POST /orgs/:org_id/workspaces': audited('workspace.created', (stage) =>
    stage.owner.post(org(stage, '/workspaces'), { name: 'Second' }),
  ),
  'PATCH /orgs/:org_id/workspaces/:workspace_id': audited('workspace.changed', async (stage) =>
    stage.owner.patch(org(stage, `/workspaces/${await newWorkspace(stage)}`), { name: 'Renamed' }),
  ),
  'DELETE /orgs/:org_id/workspaces/:workspace_id': audited('workspace.deleted', async (stage) =>
    stage.owner.delete(org(stage, `/workspaces/${await newWorkspace(stage)}`)),
  ),
  'POST /orgs/:org_id/api-keys': audited('api_key.created', (stage) =>
    stage.owner.post(org(stage, '/api-keys'), { name: 'ERP' }),
  ),
  'POST /orgs/:org_id/api-keys/check-address': 'it changes nothing',
  'PATCH /orgs/:org_id/api-keys/:key_id': audited('api_key.changed', async (stage) =>
    stage.owner.patch(org(stage, `/api-keys/${await newKey(stage)}`), { name: 'Renamed' }),
  ),
  'POST /orgs/:org_id/api-keys/:key_id/rotate': audited('api_key.rotated', async (stage) =>
    stage.owner.post(org(stage, `/api-keys/${await newKey(stage)}/rotate`), { grace_period: '0' }),
  ),
  'DELETE /orgs/:org_id/api-keys/:key_id': audited('api_key.revoked', async (stage) =>
    stage.owner.delete(org(stage, `/api-keys/${await newKey(stage)}`)),
  ),

  'PATCH /admin/orgs/:org_id': audited('plan.changed', (stage) =>
    stage.operator.patch(`/admin/orgs/${stage.organizationId}`, { plan: 'scale' }),
  ),
  'PUT /admin/flags/:name': audited('flag.changed', ({ operator }) =>
    operator.put('/admin/flags/disable_public_api', { enabled: false, reason: 'all is well' }),
  ),
  'PATCH /admin/compliance/soc2': audited('compliance.programme_changed', ({ operator }) =>
    operator.patch('/admin/compliance/soc2', { phases: [{ phase: 'type_2', planned_on: '2027-06-01' }] }),
  ),
  'POST /admin/compliance/checks': audited('compliance.checked', ({ operator }) =>
    operator.post('/admin/compliance/checks', { checks: ['tls_public_url'] }),
  ),
  'POST /admin/compliance/attestations': audited('compliance.attested', ({ operator }) =>
    operator.post('/admin/compliance/attestations', {
      kind: 'backup',
      performed_at: '2026-11-01T06:00:00Z',
      performed_by: 'nightly job',
    }),
  ),
  'POST /orgs/:org_id/agreements': audited('agreement.accepted', (stage) =>
    stage.owner.post(org(stage, '/agreements'), {
      agreement: 'privacy_notice',
      version: SOC2.agreements.privacy_notice.version,
    }),
  ),
  'PATCH /admin/community/topics/:id': audited('community_topic.moderated', async (stage) =>
    stage.operator.patch(`/admin/community/topics/${await newTopic(stage)}`, { pinned: true }),
  ),
  'PATCH /admin/community/topics/:id/replies/:reply_id': audited('community_reply.moderated', async (stage) => {
    const topic = await newTopic(stage);
    const reply = idIn(await stage.owner.post(`/community/topics/${topic}/replies`, { body: 'A reply' }));
    return stage.operator.patch(`/admin/community/topics/${topic}/replies/${reply}`, { hidden: true });
  }),
  'PUT /admin/community/blocks/:user_id': audited('community_author.blocked', block),
  'DELETE /admin/community/blocks/:user_id': audited('community_author.unblocked', async (stage) => {
    return stage.operator.delete(`/admin/community/blocks/${idIn(await block(stage))}`);
  }),
  'POST /admin/releases': audited('release.created', newRelease),
  'PATCH /admin/releases/:release': audited('release.updated', async (stage) => {
    await newRelease(stage);
    return stage.operator.patch('/admin/releases/9.9.9', { title: 'Corrected' });
  }),

  'POST /api/v1/actuals': audited('demand.uploaded', upload),
  'POST /workspaces/:workspace_id/imports': audited('demand.uploaded', (stage) =>
    stage.owner.post(workspace(stage, '/imports'), { rows: [{ unique_id: 'A', ds: '2026-01', y: 1 }] }),
  ),
  'DELETE /workspaces/:workspace_id/series/:series_id': audited('series.deleted', async (stage) => {
    await upload(stage);
    return stage.owner.delete(workspace(stage, '/series/P0000'));
  }),
  'DELETE /workspaces/:workspace_id/series/:series_id/actuals': audited('demand.deleted', async (stage) => {
    await upload(stage);
    return stage.owner.delete(workspace(stage, '/series/P0000/actuals?from=2020-01&to=2020-02'));
  }),
  'PATCH /workspaces/:workspace_id/series/:series_id': audited('series.edited', async (stage) => {
    await upload(stage);
    return stage.owner.patch(workspace(stage, '/series/P0000'), { product_name: 'Soap' });
  }),
  'PUT /workspaces/:workspace_id/overrides': audited('override.set', putOverride),
  'DELETE /workspaces/:workspace_id/overrides': audited('override.removed', async (stage) => {
    await putOverride(stage);
    return stage.owner.delete(workspace(stage, '/overrides?series_id=P0000&month=2027-01-01'));
  }),
  'PUT /workspaces/:workspace_id/schedule': audited('run_schedule.set', putSchedule),
  'DELETE /workspaces/:workspace_id/schedule': audited('run_schedule.removed', async (stage) => {
    await putSchedule(stage);
    return stage.owner.delete(workspace(stage, '/schedule'));
  }),
  'POST /workspaces/:workspace_id/connectors': audited('connector.created', newConnector),
  'PATCH /workspaces/:workspace_id/connectors/:connector_id': audited('connector.changed', async (stage) =>
    stage.owner.patch(await connectorPath(stage), { settings: { api_version: '2027-01' } }),
  ),
  'DELETE /workspaces/:workspace_id/connectors/:connector_id': audited('connector.deleted', async (stage) =>
    stage.owner.delete(await connectorPath(stage)),
  ),
  'POST /workspaces/:workspace_id/connectors/:connector_id/test': audited('connector.tested', async (stage) =>
    stage.owner.post(`${await connectorPath(stage)}/test`),
  ),
  'POST /workspaces/:workspace_id/connectors/:connector_id/sync': audited('connector.sync_requested', async (stage) =>
    stage.owner.post(`${await connectorPath(stage)}/sync`),
  ),
  'POST /webhooks/connectors/:platform/:connector_id':
    'a shop tells of orders, of which the connector keeps the record',
  'POST /api/v1/runs': audited('run.started', (stage) => newRun(stage, '/runs')),
  'POST /api/v1/forecasts': audited('run.started', (stage) => newRun(stage, '/forecasts')),
  'POST /api/v1/runs/:run_id/cancel': audited('run.canceled', async (stage) =>
    stage.api.post(`/runs/${idIn(await newRun(stage, '/runs'))}/cancel`, {}),
  ),
  'POST /workspaces/:workspace_id/runs': audited('run.started', async (stage) => {
    await upload(stage);
    return stage.owner.post(workspace(stage, '/runs'), {});
  }),
  'POST /workspaces/:workspace_id/runs/:run_id/cancel': audited('run.canceled', async (stage) =>
    stage.owner.post(workspace(stage, `/runs/${idIn(await newRun(stage, '/runs'))}/cancel`), {}),
  ),
  'PATCH /workspaces/:workspace_id/alerts/:alert_id': 'reading an alert is no change that anyone would look for',
  'PATCH /api/v1/alerts/:alert_id': 'reading an alert is no change that anyone would look for',

  'POST /odata/v4/$batch': 'it is always refused',

  'POST /community/topics': OWN_TEXT,
  'PATCH /community/topics/:id': OWN_TEXT,
  'DELETE /community/topics/:id': OWN_TEXT,
  'POST /community/topics/:id/replies': OWN_TEXT,
  'PATCH /community/topics/:id/replies/:reply_id': OWN_TEXT,
  'DELETE /community/topics/:id/replies/:reply_id': OWN_TEXT,
  'POST /community/topics/:id/report': 'reports are kept with who made them and who resolved them',
  'POST /community/topics/:id/replies/:reply_id/report': 'reports are kept with who made them and who resolved them',
  'POST /notifications/read': 'what users have read is their own business',
};
