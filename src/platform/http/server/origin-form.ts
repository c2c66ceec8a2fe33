/**
 * The request target as a path and query. Clients that treat the service as a proxy include scheme and host, which every server
 * must accept (RFC 9112, section 3.2.2). The `*` of section 3.2.4 is not a path of ours either; left as it is, the router would
 * answer it past the hooks that log a request and set its id.
 */
export function originForm(url: string): string {
  const rest = url.replace(/^https?:\/\/[^/?]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
