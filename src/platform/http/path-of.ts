/** The path of a request's URL, without its query. */
export const pathOf = (url: string): string => url.replace(/\?.*/s, '');
