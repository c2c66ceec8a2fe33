import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsOptional, ValidateIf } from 'class-validator';

/**
 * A member or parameter that may be omitted. Null is a value, which the other validators must accept, unless it is documented as
 * nullable: then it may be null too.
 */
export const OptionalProperty = (documented: ApiPropertyOptions): PropertyDecorator =>
  applyDecorators(ApiPropertyOptional(documented), isNullable(documented) ? IsOptional() : IsOmittable());

const IsOmittable = (): PropertyDecorator => ValidateIf((_object, value: unknown) => value !== undefined);

const isNullable = (documented: ApiPropertyOptions): boolean =>
  'nullable' in documented && documented.nullable === true;
