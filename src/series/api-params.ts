import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiParam, getSchemaPath } from '@nestjs/swagger';
import { Paged } from '../platform/http/api-page.js';
import { EXAMPLE_ID } from '../platform/http/example-ids.js';
import { SeriesDto, TrendChangeDto } from './dto/series.dto.js';

/** Documents the series in a path. */
export const ApiSeriesId = (): MethodDecorator =>
  ApiParam({ name: 'series_id', description: 'Id or URL-encoded unique_id.', example: 'SKU-1001' });

/** Documents the import in a path. */
export const ApiImportId = (): MethodDecorator =>
  ApiParam({ name: 'import_id', format: 'uuid', example: EXAMPLE_ID.import });

/** Documents a page of series, or of changes of their trend. */
export const ApiSeriesPage = (): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(SeriesDto, TrendChangeDto),
    Paged({
      content: {
        'application/json': {
          schema: {
            title: 'SeriesPageDto',
            anyOf: [
              { type: 'array', items: { $ref: getSchemaPath(SeriesDto) } },
              { type: 'array', items: { $ref: getSchemaPath(TrendChangeDto) } },
            ],
          },
        },
      },
    }),
  );
