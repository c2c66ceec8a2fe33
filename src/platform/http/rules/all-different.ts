import { propertyRule } from './property-rule.js';

/**
 * The list contains no duplicates. Used instead of `ArrayUnique`, which compares every pair of values: lists may have thousands.
 * @param fault the message for a duplicate
 */
export const AllDifferent = (fault: string): PropertyDecorator =>
  propertyRule('allDifferent', (list) =>
    Array.isArray(list) && new Set(list).size === list.length ? undefined : fault,
  );
