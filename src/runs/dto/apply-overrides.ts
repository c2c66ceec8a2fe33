import { QueryFlag } from '../../platform/http/rules/flag.js';

/** `apply_overrides` for monthly results: whether they include `final`. */
export const ApplyOverrides = (): PropertyDecorator =>
  QueryFlag('Adds `final`: the median after the active manual overrides, never below 0.');
