import { ApiParam } from '@nestjs/swagger';
import { EXAMPLE_ID } from '../platform/http/example-ids.js';

/** Documents the series in a path. */
export const ApiSeriesId = (): MethodDecorator =>
  ApiParam({ name: 'series_id', description: 'Id or URL-encoded unique_id.', example: 'SKU-1001' });

/** Documents the import in a path. */
export const ApiImportId = (): MethodDecorator =>
  ApiParam({ name: 'import_id', format: 'uuid', example: EXAMPLE_ID.import });
