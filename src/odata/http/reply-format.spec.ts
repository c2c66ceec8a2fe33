import { describe, expect, it } from '@jest/globals';
import { dataFormat, metadataFormat } from './reply-format.js';

describe('the response format', () => {
  it.each([
    [undefined, undefined, 'minimal'],
    [undefined, '*/*', 'minimal'],
    [undefined, 'application/json', 'minimal'],
    [undefined, 'application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false', 'minimal'],
    [undefined, 'application/json; odata.metadata=none', 'none'],
    [undefined, 'application/json;odata.metadata=full, application/json;odata.metadata=none;q=.5', 'none'],
    [undefined, 'text/html,application/xhtml+xml,*/*;q=0.8', 'minimal'],
    ['json', 'application/xml', 'minimal'],
    ['json;odata.metadata=none', undefined, 'none'],
    ['application/json;odata.metadata=none', undefined, 'none'],
  ] as const)('for data with $format=%s and Accept: %s is %s', (format, accept, level) => {
    expect(dataFormat(format, accept)).toEqual({ metadata: level, ieee754: false });
  });

  it.each([
    [undefined, 'application/json;IEEE754Compatible=true', 'minimal'],
    [undefined, 'application/json; odata.metadata=none; IEEE754Compatible=true', 'none'],
    [undefined, 'application/json;odata.metadata=minimal;IEEE754Compatible=true,application/json;q=.5', 'minimal'],
    ['json;IEEE754Compatible=true', 'application/json', 'minimal'],
  ] as const)('for data with $format=%s and Accept: %s has large numbers as strings', (format, accept, level) => {
    expect(dataFormat(format, accept)).toEqual({ metadata: level, ieee754: true });
  });

  it('that a client cannot have is refused with those that it can, spelled as OData does', () => {
    expect(() => dataFormat(undefined, 'text/csv')).toThrow(
      expect.objectContaining({
        detail: expect.stringContaining('application/json;odata.metadata=minimal;IEEE754Compatible=false or '),
      }),
    );
  });

  it.each([
    ['xml', undefined],
    ['atom', undefined],
    ['jsonp', undefined],
    ['json;odata.metadata=full', undefined],
    [undefined, 'application/atom+xml'],
    [undefined, 'application/json;odata.metadata=full'],
  ] as const)('is refused for data with $format=%s and Accept: %s', (format, accept) => {
    expect(() => dataFormat(format, accept)).toThrow('not_acceptable');
  });

  it.each([
    [undefined, undefined, 'xml'],
    [undefined, 'application/xml', 'xml'],
    [undefined, 'application/json', 'json'],
    [undefined, 'application/json;odata.metadata=minimal;q=1.0,application/xml;q=0.7,text/plain;q=0.7', 'xml'],
    [undefined, 'application/json;odata.metadata=minimal', 'json'],
    ['xml', 'application/json', 'xml'],
    ['json', 'application/xml', 'json'],
  ] as const)('for metadata with $format=%s and Accept: %s is %s', (format, accept, form) => {
    expect(metadataFormat(format, accept)).toBe(form);
  });
});
