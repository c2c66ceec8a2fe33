import type { DemoAccess } from './demo/access.js';

/**
 * What a user who has just started the service needs: its address, and example calls that work when pasted or, if no organization
 * exists yet, how to create one.
 */
export function banner(url: string, demo: DemoAccess | undefined, organizationMade: boolean): string {
  const lines = [
    '',
    `The service is listening on ${url}`,
    `  API documentation  ${url}/docs`,
    `  changelog          ${url}/changelog`,
  ];
  if (demo === undefined) {
    if (!organizationMade) {
      lines.push(
        '',
        'Create an organization, a workspace and an API key:',
        '  npm run admin -- bootstrap --organization Acme --workspace Main --plan growth --email you@example.com --json',
      );
    }
    return `${lines.join('\n')}\n`;
  }
  lines.push(
    `  demo API key       ${demo.apiKey}`,
    '',
    'Three calls to try:',
    '',
    `  curl -s '${url}/api/v1/runs?status=completed' -H 'X-API-Key: ${demo.apiKey}'`,
    '',
    `  curl -s '${url}/api/v1/series?limit=3' -H 'X-API-Key: ${demo.apiKey}'`,
    '',
    `  curl -s -X POST '${url}/api/v1/runs' -H 'X-API-Key: ${demo.apiKey}' -H 'Content-Type: application/json' -d '{"config_overrides": {"horizon": 6}}'`,
    '',
    'Stop with Ctrl-C.',
  );
  return `${lines.join('\n')}\n`;
}
