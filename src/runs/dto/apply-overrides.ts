import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { Omittable } from '../../platform/http/omittable.js';
import { QueryBoolean } from '../../platform/http/validation.js';

/** `apply_overrides` for monthly results: whether they include `final`. */
export const ApplyOverrides = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      description: 'Adds `final`: the median after the active manual overrides, never below 0.',
      type: Boolean,
      default: false,
    }),
    Omittable(),
    QueryBoolean(),
    IsBoolean({ message: 'must be true or false' }),
  );
