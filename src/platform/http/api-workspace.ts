import { ApiParam } from '@nestjs/swagger';

/** Documents the workspace in the path of an application route. */
export const ApiWorkspace = (): ClassDecorator & MethodDecorator =>
  ApiParam({ name: 'workspace_id', format: 'uuid', example: '019a8f3c-0000-7000-8000-000000000001' });
