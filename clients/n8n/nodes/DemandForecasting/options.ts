import type { ILoadOptionsFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { ask } from './request';

/** The workspace to choose: needed with a key of the whole organization. */
export const workspaceProperty: INodeProperties = {
  displayName: 'Workspace Name or ID',
  name: 'workspaceId',
  type: 'options',
  typeOptions: { loadOptionsMethod: 'getWorkspaces' },
  default: '',
  description:
    'Only required with an organization key, which can access all workspaces. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

export const runProperty: INodeProperties = {
  displayName: 'Run Name or ID',
  name: 'runId',
  type: 'options',
  typeOptions: { loadOptionsMethod: 'getCompletedRuns' },
  default: '',
  required: true,
  description:
    'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
};

/** Workspaces that the key may use, after the choice to give none. */
export async function getWorkspaces(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const workspaces = (await ask(this, { url: '/workspaces' })).body as { id: string; name: string }[];
  return [{ name: '(Not Given)', value: '' }, ...workspaces.map(({ id, name }) => ({ name, value: id }))];
}

/** The newest completed runs. */
export async function getCompletedRuns(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const runs = (await ask(this, { url: '/runs', qs: { status: 'complete', limit: 100 } })).body as { id: string; finished_at: string }[];
  return runs.map(({ id, finished_at }) => ({ name: `Completed ${finished_at}`, value: id, description: id }));
}
