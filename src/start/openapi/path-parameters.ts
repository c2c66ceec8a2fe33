import { EXAMPLE_ID } from '../../platform/http/openapi/example-ids.js';
import type { Parameter, Route } from './operation.js';

/**
 * Path parameters that mean the same on every route, by name. Documented here because the guard reads some of them and handlers do not, so
 * that decorators would miss them.
 */
const PATH_PARAMETERS: Readonly<Record<string, Pick<Parameter, 'description' | 'example' | 'schema'>>> = {
  alert_id: id('the alert', EXAMPLE_ID.alert),
  connector_id: id('the connector', EXAMPLE_ID.connector),
  current: id('the later run', EXAMPLE_ID.laterRun),
  import_id: id('the import, as in the response to the upload', EXAMPLE_ID.import),
  invitation_id: id('the invitation'),
  key_id: id('the API key, which is not the key itself', EXAMPLE_ID.apiKey),
  org_id: id('the organization, as in `GET /auth/me`'),
  prior: id('the earlier run of the same workspace', EXAMPLE_ID.run),
  reply_id: id('the reply'),
  run_id: id('the run', EXAMPLE_ID.run),
  series_id: {
    description: 'Id of the series, or its `unique_id`, URL-encoded: `A/1` as `A%2F1`.',
    example: 'SKU-1001',
    schema: { type: 'string' },
  },
  session_id: id('the session, as in `GET /auth/sessions`'),
  user_id: id('the user, as in `user_id` of a member or `author.id` of a post'),
  workspace_id: id('the workspace, as in `GET /auth/me`', EXAMPLE_ID.workspace),
};

function id(ofWhat: string, example?: string): Pick<Parameter, 'description' | 'example' | 'schema'> {
  return {
    description: `Id of ${ofWhat}.`,
    ...(example !== undefined && { example }),
    schema: { type: 'string', format: 'uuid' },
  };
}

/** Documents the {@link PATH_PARAMETERS} of a route in place of what the decorators know of them. */
export function documentPathParameters({ path, operation }: Route): void {
  const known = Object.entries(PATH_PARAMETERS).filter(([name]) => path.includes(`{${name}}`));
  const names = new Set(known.map(([name]) => name));
  operation.parameters = [
    ...known.map(([name, parameter]) => ({ name, in: 'path', required: true, ...parameter })),
    ...(operation.parameters ?? []).filter((own) => own.in !== 'path' || !names.has(own.name)),
  ];
}
