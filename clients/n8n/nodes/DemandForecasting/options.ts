import type { ILoadOptionsFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { ask } from './request';

/** Shows a property for these operations only. */
export const of = (...operations: string[]): { show: { operation: string[] } } => ({ show: { operation: operations } });

/** The category to which an operation's results are narrowed. */
export const categoryProperty = (operation: string): INodeProperties => ({
  displayName: 'Category',
  name: 'category',
  type: 'string',
  default: '',
  description: 'Only series in this category. By default, all.',
  displayOptions: of(operation),
});

/** The first and the last month of an operation's results. */
export const monthProperties = (operation: string): INodeProperties[] => [
  { displayName: 'First Month', name: 'from', type: 'string', default: '', description: 'YYYY-MM', displayOptions: of(operation) },
  { displayName: 'Last Month', name: 'to', type: 'string', default: '', description: 'YYYY-MM', displayOptions: of(operation) },
];

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

interface Workspace {
  readonly id: string;
  readonly name: string;
}

interface Run {
  readonly id: string;
  readonly workspace_id: string;
  readonly finished_at: string;
  readonly progress: { readonly series_done: number };
  readonly config: { readonly cutoff: string | null };
}

const workspacesOf = async (context: ILoadOptionsFunctions): Promise<Workspace[]> =>
  (await ask(context, { url: '/workspaces' })).body as Workspace[];

/** Workspaces that the key may use, after the choice to give none. */
export async function getWorkspaces(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  return [{ name: '(Not Given)', value: '' }, ...(await workspacesOf(this)).map(({ id, name }) => ({ name, value: id }))];
}

/** The newest completed runs, told apart by what they forecast: the newest may be one of a few series, or of another workspace. */
export async function getCompletedRuns(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const names = new Map((await workspacesOf(this)).map(({ id, name }) => [id, name]));
  const runs = (await ask(this, { url: '/runs', qs: { status: 'complete', limit: 100 } })).body as Run[];
  return runs.map(({ id, workspace_id, finished_at, progress, config }) => {
    const time = finished_at.slice(0, 16).replace('T', ' ');
    const cutoff = config.cutoff === null ? '' : `, up to ${config.cutoff}`;
    return { name: `${names.get(workspace_id)}: ${time} UTC, ${progress.series_done} series${cutoff}`, value: id, description: id };
  });
}
