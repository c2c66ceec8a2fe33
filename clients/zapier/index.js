const { version: platformVersion } = require('zapier-platform-core');
const { version } = require('./package.json');

/** Paths are those of the API: the address and the key are the connection's. An address that is pasted may have a blank at its end. */
const address = (request, z, bundle) => {
  if (request.url.startsWith('/')) request.url = `${bundle.authData.base_url.trim().replace(/\/+$/, '')}${request.url}`;
  request.headers['X-API-Key'] = bundle.authData.api_key;
  return request;
};

/** A refusal becomes a message a person can act on: the service says what is wrong in `detail`. A search looks at its 404 itself. */
const explain = (response, z) => {
  if (response.status < 400 || (response.status === 404 && response.skipThrowForStatus)) return response;
  const reply = response.headers.get('content-type')?.includes('json') ? JSON.parse(response.content) : {};
  const problem = reply.error ?? reply; // the feed has a form of its own
  const message = `${problem.detail ?? problem.message ?? 'The service rejected the request.'} (${problem.code ?? response.status})`;
  if (response.status === 401) throw new z.errors.ExpiredAuthError(message);
  const wait = response.headers.get('retry-after');
  if (wait !== null || response.status === 429 || response.status === 503) {
    throw new z.errors.ThrottledError(message, Number(wait) || 60); // a proxy in front may tell no time, or a date
  }
  throw new z.errors.Error(message, problem.code, response.status);
};

const byKey = (parts) => Object.fromEntries(parts.map((part) => [part.key, part]));

module.exports = {
  version,
  platformVersion,
  authentication: require('./authentication'),
  beforeRequest: [address],
  afterResponse: [explain],
  triggers: byKey([
    require('./triggers/run-completed'),
    require('./triggers/run-failed'),
    require('./triggers/demand-alert'),
    require('./triggers/trend-changed'),
    require('./triggers/workspace'),
    require('./triggers/completed-run'),
  ]),
  searches: byKey([require('./searches/series-forecast'), require('./searches/forecast-rows'), require('./searches/totals'), require('./searches/safety-stock'), require('./searches/safety-stocks')]),
  creates: byKey([require('./creates/trigger-run'), require('./creates/upload-demand'), require('./creates/describe-series')]),
};
