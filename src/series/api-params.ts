import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiParam, getSchemaPath } from '@nestjs/swagger';
import { Paged } from '../platform/http/api-page.js';
import { EXAMPLE_ID } from '../platform/http/example-ids.js';
import { ImportDto } from './dto/import.dto.js';
import { SeriesDto, TrendChangeDto } from './dto/series.dto.js';

/** Documents the path parameter that identifies a series. */
export const ApiSeriesId = (): MethodDecorator =>
  ApiParam({ name: 'series_id', description: 'Id or URL-encoded unique_id.', example: 'SKU-1001' });

/** Documents the path parameter that identifies an import. */
export const ApiImportId = (): MethodDecorator =>
  ApiParam({ name: 'import_id', format: 'uuid', example: EXAMPLE_ID.import });

/** Documents the response of an operation that reads an import. */
export const ApiReadImport = (): MethodDecorator =>
  ApiOkResponse({
    type: ImportDto,
    headers: {
      'Retry-After': {
        description: 'Seconds to wait before polling again. Present while the import is unfinished.',
        schema: { type: 'string' },
      },
    },
  });

/** Documents a page of series, or of changes of their trend labels. */
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
