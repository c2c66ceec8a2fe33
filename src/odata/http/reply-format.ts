import { negotiate } from '../../platform/http/replies/accept.js';
import { Problem } from '../../platform/http/problem.js';

/** How much metadata a JSON response contains. `full` is not offered: clients that know the metadata document need no more. */
type MetadataLevel = 'minimal' | 'none';

/** The format of data in JSON. */
export interface DataFormat {
  readonly metadata: MetadataLevel;
  /**
   * Whether numbers of type Edm.Int64 and Edm.Decimal are strings, for clients to which all numbers are doubles (OData JSON Format 4.0,
   * 3.2). No property of the feed has these types; `@odata.count` is an Edm.Int64.
   */
  readonly ieee754: boolean;
}

const FORMATS = [
  'application/json;odata.metadata=minimal;IEEE754Compatible=false',
  'application/json;odata.metadata=none;IEEE754Compatible=false',
  'application/json;odata.metadata=minimal;IEEE754Compatible=true',
  'application/json;odata.metadata=none;IEEE754Compatible=true',
] as const;

/**
 * The data format requested by $format, otherwise by the Accept header.
 * @throws {Problem} 406 if the feed does not support it
 */
export function dataFormat(format: string | undefined, accept: string | undefined): DataFormat {
  const chosen = negotiate(format === undefined ? accept : mediaTypeOf(format), FORMATS);
  return { metadata: chosen.includes('minimal') ? 'minimal' : 'none', ieee754: chosen.endsWith('true') };
}

/**
 * The format of the metadata document. BI tools send the same Accept header with every request, JSON first, although they want XML here:
 * media ranges for OData's JSON data only count if there are no others.
 */
export function metadataFormat(format: string | undefined, accept: string | undefined): 'xml' | 'json' {
  const asked = format === undefined ? accept : mediaTypeOf(format);
  const others = asked?.split(',').filter((range) => !/^[^;]*json\s*;.*odata/i.test(range)) ?? [];
  const meant = others.length > 0 ? others.join(',') : asked;
  return negotiate(meant, ['application/xml', 'application/json']) === 'application/xml' ? 'xml' : 'json';
}

/** OData's short names, or a media type. */
function mediaTypeOf(format: string): string {
  const [, short, parameters = ''] = /^(json|xml)(;.*)?$/.exec(format) ?? [];
  if (short !== undefined) return `application/${short}${parameters}`;
  if (/^[\w.+-]+\/[\w.+-]+(;|$)/.test(format)) return format;
  throw new Problem(406, 'not_acceptable', 'The feed supports $format=json, and xml for $metadata.');
}
