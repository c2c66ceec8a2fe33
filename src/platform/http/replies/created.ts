import type { Type } from '@nestjs/common';
import { ApiCreatedResponse } from '@nestjs/swagger';

/** Documents the response of an operation that creates what can be read at an address of its own. @param what its name in the document */
export const ApiCreatedAt = (what: string, type: Type): MethodDecorator =>
  ApiCreatedResponse({
    type,
    headers: { Location: { description: `URL of the ${what}.`, schema: { type: 'string' } } },
  });
