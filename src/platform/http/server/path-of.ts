/** The path of a request URL, without the query. */
export const pathOf = (url: string): string => url.replace(/\?.*/s, '');
