import { NodeApiError } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions, ILoadOptionsFunctions, IPollFunctions, JsonObject } from 'n8n-workflow';

type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** A query without what is left empty. */
export const filledIn = (query: Record<string, string | number>): Record<string, string | number> =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));

export interface Reply {
  readonly body: unknown;
  /** Address of the next page of a list. */
  readonly next: string | undefined;
}

interface FullResponse {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly statusCode: number;
}

/**
 * Asks the service with the node's credential.
 * @param request its `url` is a path of the API or of the feed beside it (`/odata/…`), or an address that a reply gave as the next page
 * @param itemIndex the item that the request is made for
 * @throws {NodeApiError} with the service's own words where it refuses: n8n's for the status alone name no parameter
 */
export async function ask(context: Context, request: IHttpRequestOptions, itemIndex?: number): Promise<Reply> {
  const credentials = await context.getCredentials('demandForecastingApi');
  const base = String(credentials['baseUrl']).trim().replace(/\/+$/, '');
  const root = request.url.startsWith('/odata/') ? base.replace(/\/api\/v1$/, '') : base;
  const address = request.url.startsWith('/') ? `${root}${request.url}` : request.url;
  const reply = (await context.helpers.httpRequestWithAuthentication.call(context, 'demandForecastingApi', {
    ...request,
    url: address,
    json: true,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  })) as FullResponse;
  if (reply.statusCode >= 400) throw refusal(context, reply, itemIndex);
  const next = /<([^>]+)>; rel="next"/.exec(reply.headers['link'] ?? '')?.[1];
  return { body: reply.body, next: next && new URL(next, base).href };
}

function refusal(context: Context, { body, statusCode }: FullResponse, itemIndex?: number): NodeApiError {
  const reply: IDataObject = typeof body === 'object' && body !== null ? (body as IDataObject) : {};
  const problem = (reply['error'] as IDataObject | undefined) ?? reply; // the feed has a form of its own
  return new NodeApiError(context.getNode(), problem as JsonObject, {
    message: String(problem['detail'] ?? problem['message'] ?? `The service answered ${statusCode}.`),
    description: `Code: ${String(problem['code'] ?? statusCode)}. Request: ${String(problem['request_id'] ?? 'unknown')}.`,
    httpCode: String(statusCode),
    ...(itemIndex === undefined ? {} : { itemIndex }),
  });
}
