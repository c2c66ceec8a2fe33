import { negotiate } from '../../platform/http/accept.js';
import { Problem } from '../../platform/http/problem.js';

/** How much a JSON reply tells about itself. `full` is not offered: clients that know the metadata need no more. */
type MetadataLevel = 'minimal' | 'none';

/** The form of data in JSON. */
export interface DataFormat {
  readonly metadata: MetadataLevel;
  /**
   * Whether numbers of Edm.Int64 and Edm.Decimal are texts, for clients to which all numbers are doubles (OData JSON Format 4.0, 3.2).
   * The properties of the feed are none of these; `@odata.count` is an Edm.Int64.
   */
  readonly ieee754: boolean;
}

const FORMATS = [
  'application/json;odata.metadata=minimal;ieee754compatible=false',
  'application/json;odata.metadata=none;ieee754compatible=false',
  'application/json;odata.metadata=minimal;ieee754compatible=true',
  'application/json;odata.metadata=none;ieee754compatible=true',
] as const;

/**
 * The form of data by $format, else by the Accept header.
 * @throws {Problem} 406 where the feed cannot answer so
 */
export function dataFormat(format: string | undefined, accept: string | undefined): DataFormat {
  const chosen = negotiate(format === undefined ? accept : mediaTypeOf(format), FORMATS);
  return { metadata: chosen.includes('minimal') ? 'minimal' : 'none', ieee754: chosen.endsWith('true') };
}

/**
 * The format of the metadata document. BI tools send the same Accept header with every request, JSON first, although they want XML here:
 * ranges for OData's JSON of data only count where there are no others.
 */
export function metadataFormat(format: string | undefined, accept: string | undefined): 'xml' | 'json' {
  const asked = format === undefined ? accept : mediaTypeOf(format);
  const others = asked?.split(',').filter((range) => !/^[^;]*json\s*;.*odata/i.test(range)) ?? [];
  const meant = others.length > 0 ? others.join(',') : asked;
  return negotiate(meant, ['application/xml', 'application/json']) === 'application/xml' ? 'xml' : 'json';
}

/** The short names of OData, or a media type. */
function mediaTypeOf(format: string): string {
  const [, short, parameters = ''] = /^(json|xml)(;.*)?$/.exec(format) ?? [];
  if (short !== undefined) return `application/${short}${parameters}`;
  if (/^[\w.+-]+\/[\w.+-]+(;|$)/.test(format)) return format;
  throw new Problem(406, 'not_acceptable', 'The feed supports $format=json, and xml for $metadata.');
}
