import { NodeConnectionTypes } from 'n8n-workflow';
import type { IDataObject, INodeExecutionData, INodeType, INodeTypeDescription, IPollFunctions } from 'n8n-workflow';
import { getWorkspaces, workspaceProperty } from './options';
import { type PollState, since, untold } from './polling';
import { ask } from './request';

const EVENTS = {
  runCompleted: { path: '/runs', query: { status: 'complete' }, sinceName: 'since', time: 'finished_at' },
  runFailed: { path: '/runs', query: { status: 'failed' }, sinceName: 'since', time: 'finished_at' },
  demandAlert: { path: '/alerts', query: { unread: true }, sinceName: 'since', time: 'created_at' },
  trendChanged: { path: '/series', query: {}, sinceName: 'trend_changed_since', time: 'changed_at' },
} as const;
type EventName = keyof typeof EVENTS;

/** Items a page: as many as every list of the service gives. */
const MAX_PAGE = 500;

export class DemandForecastingTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Demand Forecasting Trigger',
    name: 'demandForecastingTrigger',
    icon: { light: 'file:../../icons/demand-forecasting.svg', dark: 'file:../../icons/demand-forecasting.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["event"]}}',
    description: 'Starts the workflow when a run completes or fails, demand shifts, or a trend changes',
    defaults: { name: 'Demand Forecasting Trigger' },
    polling: true,
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'demandForecastingApi', required: true }],
    properties: [
      {
        displayName: 'Event',
        name: 'event',
        type: 'options',
        default: 'runCompleted',
        options: [
          { name: 'Demand Alert', value: 'demandAlert', description: 'A run found a shift in the demand of a product' },
          { name: 'Run Completed', value: 'runCompleted', description: 'A forecast run has completed' },
          { name: 'Run Failed', value: 'runFailed', description: 'A forecast run has failed' },
          { name: 'Trend Changed', value: 'trendChanged', description: 'The demand trend of a product has changed' },
        ],
      },
      workspaceProperty,
    ],
  };

  methods = { loadOptions: { getWorkspaces } };

  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    const event = EVENTS[this.getNodeParameter('event') as EventName];
    const workspace = this.getNodeParameter('workspaceId') as string;
    const manual = this.getMode() === 'manual';
    const kept = this.getWorkflowStaticData('node') as PollState;
    const from = manual ? '2000-01-01T00:00:00Z' : since(kept, new Date());
    const filter = { ...event.query, ...(workspace ? { workspace_id: workspace } : {}), [event.sinceName]: from };
    const items: ({ id: string } & IDataObject)[] = [];
    let page = await ask(this, { url: event.path, qs: { ...filter, limit: manual ? 1 : MAX_PAGE } });
    items.push(...(page.body as typeof items));
    while (page.next !== undefined && !manual) {
      page = await ask(this, { url: page.next });
      items.push(...(page.body as typeof items));
    }
    if (manual) return items.length === 0 ? null : [items.map((json) => ({ json }))];
    const { fresh, state } = untold(items, kept, (item) => String(item[event.time]));
    // the first poll begins now even where nothing has happened yet
    Object.assign(kept, { newest: new Date().toISOString() }, kept.newest ? { newest: kept.newest } : {}, state);
    return fresh.length === 0 ? null : [fresh.map((json) => ({ json }))];
  }
}
