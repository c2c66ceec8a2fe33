import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, IsArray } from 'class-validator';
import { propertyRule } from '../../platform/http/rules/property-rule.js';
import { parseRange } from '../../../config/ip-ranges.js';

/** A list of addresses and CIDR ranges. */
export const IsIpAllowlist = (): PropertyDecorator =>
  applyDecorators(
    IsArray({ message: 'must be a list of addresses or CIDR ranges' }),
    ArrayMaxSize(200, { message: 'must have at most 200 ranges' }),
    propertyRule('isIpAllowlist', (list) => {
      const at = Array.isArray(list) ? list.findIndex((entry) => typeof entry !== 'string' || !parseRange(entry)) : -1;
      return at === -1
        ? undefined
        : `must contain only IPv4 or IPv6 addresses and CIDR ranges such as 192.0.2.0/24; entry ${at + 1} is neither`;
    }),
  );
