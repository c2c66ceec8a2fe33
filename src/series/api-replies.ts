import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { Paged } from '../platform/http/api-page.js';
import { ImportDto } from './dto/import.dto.js';
import { SeriesDto, TrendChangeDto } from './dto/series.dto.js';

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
