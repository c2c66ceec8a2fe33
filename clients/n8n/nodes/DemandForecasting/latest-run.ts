import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { runProperty } from './options';
import { ask } from './request';

/** A run to choose, or none for {@link latestRun}. */
export const latestRunProperty: INodeProperties = {
  ...runProperty,
  required: false,
  description:
    'By default, the latest run of all series. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/** Id of the run that an item names, or of the latest. */
export async function runOf(context: IExecuteFunctions, item: number): Promise<string> {
  const parameter = (name: string): string => String(context.getNodeParameter(name, item, '') ?? '');
  return parameter('runId') || (await latestRun(context, item, parameter('workspaceId')));
}

/** Id of the latest run of all series, which the feed marks: the run that completed last may be one of a few series, or up to a past month. */
async function latestRun(context: IExecuteFunctions, itemIndex: number, workspace: string): Promise<string> {
  const filter = `is_latest eq true${workspace === '' ? '' : ` and workspace_id eq ${workspace}`}`;
  const { body } = await ask(context, { url: '/odata/v4/Runs', qs: { $filter: filter, $select: 'id', $top: 2 } }, itemIndex);
  const [latest, another] = (body as { value: { id: string }[] }).value;
  const fault =
    latest === undefined
      ? 'No run of all series has completed yet. Start one first.'
      : 'Choose a workspace or a run: the API key can access several workspaces.';
  if (latest === undefined || another !== undefined) throw new NodeOperationError(context.getNode(), fault, { itemIndex });
  return latest.id;
}
