import { propertyRule } from './property-rule.js';

/**
 * No value is in the list twice. Not `ArrayUnique`, which compares each value with all others: lists may have thousands.
 * @param fault what is said where one is
 */
export const AllDifferent = (fault: string): PropertyDecorator =>
  propertyRule('allDifferent', (list) =>
    Array.isArray(list) && new Set(list).size === list.length ? undefined : fault,
  );
