/** The month `index` months after January of a year, `YYYY-MM`. */
export const nthMonth = (year: number, index: number): string =>
  new Date(Date.UTC(year, index)).toISOString().slice(0, 'YYYY-MM'.length);
