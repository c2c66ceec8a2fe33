import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { Paged } from '../platform/http/api-page.js';
import { SeriesDto, TrendChangeDto } from './dto/series.dto.js';

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
