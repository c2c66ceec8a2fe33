import { negotiate } from '../../platform/http/accept.js';
import { Problem } from '../../platform/http/problem.js';

/** How much a JSON reply tells about itself. `full` is not offered: clients that know the metadata need no more. */
export type MetadataLevel = 'minimal' | 'none';

const LEVELS = ['application/json;odata.metadata=minimal', 'application/json;odata.metadata=none'] as const;

/**
 * The form of data by $format, else by the Accept header.
 * @throws {Problem} 406 where the feed cannot answer so
 */
export function dataFormat(format: string | undefined, accept: string | undefined): MetadataLevel {
  const asked = format === undefined ? accept : mediaTypeOf(format);
  return negotiate(asked, LEVELS) === LEVELS[0] ? 'minimal' : 'none';
}

/**
 * The format of the metadata document. BI tools send the same Accept header with every request, JSON first, although they want XML here:
 * ranges for OData's JSON of data only count where there are no others.
 */
export function metadataFormat(format: string | undefined, accept: string | undefined): 'xml' | 'json' {
  const asked = format === undefined ? accept : mediaTypeOf(format);
  const others = asked?.split(',').filter((range) => !/json\s*;.*odata/i.test(range)) ?? [];
  const meant = others.length > 0 ? others.join(',') : asked;
  return negotiate(meant, ['application/xml', 'application/json']) === 'application/xml' ? 'xml' : 'json';
}

/** The short names of OData, or a media type. */
function mediaTypeOf(format: string): string {
  const [, short, parameters = ''] = /^(json|xml)(;.*)?$/.exec(format) ?? [];
  if (short !== undefined) return `application/${short}${parameters}`;
  if (/^[\w.+-]+\/[\w.+-]+(;|$)/.test(format)) return format;
  throw new Problem(406, 'not_acceptable', 'The feed answers $format=json, and xml for $metadata.');
}
