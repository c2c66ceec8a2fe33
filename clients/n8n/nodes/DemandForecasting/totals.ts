import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { latestRunProperty, runOf } from './latest-run';
import { categoryProperty, monthProperties, of } from './options';
import { ask, filledIn } from './request';

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
  categoryProperty('totals'),
  ...monthProperties('totals'),
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
  const run = await runOf(context, item);
  const filter = {
    group_by: parameter('groupBy'),
    category: parameter('category'),
    from: parameter('from'),
    to: parameter('to'),
    sum_months: parameter('sumMonths'),
  };
  const { body } = await ask(context, { url: `/runs/${encodeURIComponent(run)}/totals`, qs: { ...filledIn(filter), apply_overrides: true } }, item);
  return (body as IDataObject[]).map((total) => ({ run_id: run, ...total }));
}
