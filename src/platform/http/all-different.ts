import { propertyRule } from './property-rule.js';

/**
 * No value is in the list twice. Used instead of `ArrayUnique`, which compares every pair of values: lists may have thousands.
 * @param fault the message where one is
 */
export const AllDifferent = (fault: string): PropertyDecorator =>
  propertyRule('allDifferent', (list) =>
    Array.isArray(list) && new Set(list).size === list.length ? undefined : fault,
  );
