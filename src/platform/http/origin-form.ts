/**
 * The target of a request as a path and a query. Clients that take the service for a proxy name scheme and host too, which every
 * server must accept (RFC 9112, section 3.2.2).
 */
export function originForm(url: string): string {
  const rest = url.replace(/^https?:\/\/[^/?]*/i, '');
  return rest === url || rest.startsWith('/') ? rest : `/${rest}`;
}
