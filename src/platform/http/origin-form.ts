/**
 * The target of a request as a path and a query. Clients that take the service for a proxy name scheme and host too, which every
 * server must accept (RFC 9112, section 3.2.2). The `*` of section 3.2.4 is no path of ours either; as it stands, the router would
 * answer it past the hooks that log a request and name its id.
 */
export function originForm(url: string): string {
  const rest = url.replace(/^https?:\/\/[^/?]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
