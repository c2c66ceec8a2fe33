import type { IDataObject, INodeExecutionData, INodeType, INodeTypeDescription, IPollFunctions } from 'n8n-workflow';
import { type PollState, since, untold } from './polling.ts';

const EVENTS = {
  runCompleted: { path: '/runs', query: { status: 'complete' }, sinceName: 'since', time: 'finished_at' },
  demandAlert: { path: '/alerts', query: { unread: true }, sinceName: 'since', time: 'created_at' },
  trendChanged: { path: '/series', query: {}, sinceName: 'trend_changed_since', time: 'changed_at' },
} as const;
type EventName = keyof typeof EVENTS;

/** Items a page: as many as every list of the service gives. */
const LONGEST_PAGE = 500;

export class DemandForecastingTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Demand Forecasting Trigger',
    name: 'demandForecastingTrigger',
    group: ['trigger'],
    version: 1,
    description: 'Starts the workflow when a run completes, demand shifts or a trend changes',
    defaults: { name: 'Demand Forecasting Trigger' },
    polling: true,
    inputs: [],
    outputs: ['main'],
    credentials: [{ name: 'demandForecastingApi', required: true }],
    properties: [
      {
        displayName: 'Event',
        name: 'event',
        type: 'options',
        default: 'runCompleted',
        options: [
          { name: 'Run Completed', value: 'runCompleted' },
          { name: 'Demand Alert', value: 'demandAlert' },
          { name: 'Trend Changed', value: 'trendChanged' },
        ],
      },
    ],
  };

  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    const event = EVENTS[this.getNodeParameter('event') as EventName];
    const { baseUrl } = await this.getCredentials('demandForecastingApi');
    const manual = this.getMode() === 'manual';
    const kept = this.getWorkflowStaticData('node') as PollState;
    const from = manual ? '2000-01-01T00:00:00Z' : since(kept, new Date());
    const items: ({ id: string } & IDataObject)[] = [];
    let url: string | undefined = `${String(baseUrl)}${event.path}`;
    let qs: IDataObject | undefined = { ...event.query, [event.sinceName]: from, limit: manual ? 1 : LONGEST_PAGE };
    while (url !== undefined) {
      const reply = (await this.helpers.httpRequestWithAuthentication.call(this, 'demandForecastingApi', {
        url,
        ...(qs ? { qs } : {}),
        json: true,
        returnFullResponse: true,
      })) as { body: typeof items; headers: Record<string, string | undefined> };
      items.push(...reply.body);
      const next: string | undefined = /<([^>]+)>; rel="next"/.exec(reply.headers['link'] ?? '')?.[1];
      url = manual || next === undefined ? undefined : new URL(next, String(baseUrl)).href;
      qs = undefined;
    }
    if (manual) return items.length === 0 ? null : [items.map((json) => ({ json }))];
    const { fresh, state } = untold(items, kept, (item) => String(item[event.time]));
    // the first poll begins now even where nothing has happened yet
    Object.assign(kept, { newest: new Date().toISOString() }, kept.newest ? { newest: kept.newest } : {}, state);
    return fresh.length === 0 ? null : [fresh.map((json) => ({ json }))];
  }
}
