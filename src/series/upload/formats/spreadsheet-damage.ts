import { excerpt } from '../row-collector.js';

/** A long number as displayed by spreadsheets: 4006381333931 as 4.00638E+12. Codes such as 1E+5 and 2E10 do not match. */
const SHORTENED = /^\d[.,]\d+E\+\d{2}$/;
/** The error of a formula: #N/A (German #NV), #REF!, #NAME? and so on. */
const FAILED_FORMULA = /^#(?:N\/A|NV|\S+[!?])$/;

/** How a spreadsheet has damaged an identifier, so that it no longer identifies a series; undefined if it is intact. */
export function damageOf(uniqueId: string): string | undefined {
  const damage = describe(uniqueId);
  return damage && `"${excerpt(uniqueId)}" ${damage}; if it is intended, send these rows as JSON or NDJSON`;
}

function describe(uniqueId: string): string | undefined {
  if (SHORTENED.test(uniqueId)) {
    return 'is a number that a spreadsheet shortened; format the column as text, or without decimals, and save the file again';
  }
  if (FAILED_FORMULA.test(uniqueId)) return 'is a failed formula; correct it or remove the row';
  if (uniqueId.includes('\ufffd')) {
    return 'lost a character when the file was converted; save the original as UTF-8';
  }
  return undefined;
}
