import { applyDecorators } from '@nestjs/common';
import { IsString } from 'class-validator';
import { OptionalProperty } from './rules/optional-property.js';
import { QueryInteger } from './rules/query-number.js';
import { IsWholeNumber } from './rules/whole-number.js';

/** Maximum and default number of items on a page. */
export interface PageSize {
  readonly max: number;
  readonly default: number;
}

/**
 * The `limit` parameter of a list; the property is initialized with the default.
 * @param items what a page contains, as named in the document
 */
export function PageLimit(size: PageSize, items = 'Items'): PropertyDecorator {
  const range = { minimum: 1, maximum: size.max };
  return applyDecorators(
    OptionalProperty({
      description: `${items} per page.`,
      type: 'integer',
      ...range,
      default: size.default,
    }),
    QueryInteger(),
    IsWholeNumber(range),
  );
}

/** The `cursor` parameter of a list; `decodeCursor` of ./pagination.ts reads it. */
export const PageCursor = (description = 'Cursor from the Link header of the previous page.'): PropertyDecorator =>
  applyDecorators(OptionalProperty({ description, type: String, minLength: 1 }), IsString());

/** For lists that have no reason for another size. */
export const STANDARD_PAGE: PageSize = { max: 1000, default: 100 };

/** For lists that are short for almost everyone and wanted in full. */
const LONG_PAGE: PageSize = { max: 1000, default: 1000 };

/** A base class for the query of a list, with its page size and position; further parameters are documented after these. */
export function pageQuery(size: PageSize) {
  class Query {
    @PageLimit(size)
    limit = size.default;

    @PageCursor()
    cursor?: string;
  }
  return Query;
}

/** The query of a list whose only parameters are page size and position. */
export class PageQueryDto extends pageQuery(STANDARD_PAGE) {}

/** {@link PageQueryDto} for lists with {@link LONG_PAGE}. */
export class LongPageQueryDto extends pageQuery(LONG_PAGE) {}
