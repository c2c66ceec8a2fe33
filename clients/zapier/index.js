const { version: platformVersion } = require('zapier-platform-core');
const { version } = require('./package.json');

const authorize = (request, z, bundle) => {
  if (bundle.authData.api_key) request.headers['X-API-Key'] = bundle.authData.api_key;
  return request;
};

/** A refusal becomes a message a person can act on: the service says what is wrong in `detail`. */
const explain = (response, z) => {
  if (response.status < 400) return response;
  const problem = response.headers.get('content-type')?.includes('json') ? JSON.parse(response.content) : {};
  const message = `${problem.detail ?? 'The service refused the request.'} (${problem.code ?? response.status})`;
  if (response.status === 401) throw new z.errors.ExpiredAuthError(message);
  if (response.status === 429 || response.status === 503) {
    throw new z.errors.ThrottledError(message, Number(response.headers.get('retry-after') ?? 60));
  }
  throw new z.errors.Error(message, problem.code, response.status);
};

const byKey = (parts) => Object.fromEntries(parts.map((part) => [part.key, part]));

module.exports = {
  version,
  platformVersion,
  authentication: require('./authentication'),
  beforeRequest: [authorize],
  afterResponse: [explain],
  flags: { skipThrowForStatus: true },
  triggers: byKey([
    require('./triggers/run-completed'),
    require('./triggers/demand-alert'),
    require('./triggers/trend-changed'),
  ]),
  searches: byKey([require('./searches/series-forecast'), require('./searches/safety-stock')]),
  creates: byKey([require('./creates/trigger-run')]),
};
