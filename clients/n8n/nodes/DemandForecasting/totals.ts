import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { latestRun, latestRunProperty } from './latest-run';
import { of } from './options';
import { ask } from './request';

/** What is asked for of the totals, besides the workspace. */
export const totalsProperties: INodeProperties[] = [
  { ...latestRunProperty, displayOptions: of('totals') },
  {
    displayName: 'Totals Of',
    name: 'groupBy',
    type: 'options',
    default: 'category',
    options: [
      { name: 'Each Category', value: 'category' },
      { name: 'The Whole Workspace', value: 'workspace' },
    ],
    displayOptions: of('totals'),
  },
  {
    displayName: 'Category',
    name: 'category',
    type: 'string',
    default: '',
    description: 'Only series in this category. By default, all.',
    displayOptions: of('totals'),
  },
  { displayName: 'First Month', name: 'from', type: 'string', default: '', description: 'YYYY-MM', displayOptions: of('totals') },
  { displayName: 'Last Month', name: 'to', type: 'string', default: '', description: 'YYYY-MM', displayOptions: of('totals') },
  {
    displayName: 'Sum of the Months',
    name: 'sumMonths',
    type: 'boolean',
    default: false,
    description: 'Whether to return one total for all months instead of one for each',
    displayOptions: of('totals'),
  },
];

/** The totals of the run that an item names, or of the latest: one for each category and month, or as the item says, with the id of the run. */
export async function totals(context: IExecuteFunctions, item: number): Promise<IDataObject[]> {
  const parameter = (name: string): string => String(context.getNodeParameter(name, item, '') ?? '');
  const run = parameter('runId') || (await latestRun(context, item, parameter('workspaceId')));
  const filter = {
    group_by: parameter('groupBy'),
    category: parameter('category'),
    from: parameter('from'),
    to: parameter('to'),
    sum_months: parameter('sumMonths'),
  };
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
  const { body } = await ask(context, { url: `/runs/${encodeURIComponent(run)}/totals`, qs: { ...given, apply_overrides: true } }, item);
  return (body as IDataObject[]).map((total) => ({ run_id: run, ...total }));
}
