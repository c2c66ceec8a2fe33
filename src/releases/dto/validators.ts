import { propertyRule } from '../../platform/http/property-rule.js';
import { isVersion } from '../version.js';

export const IsVersion = (): PropertyDecorator =>
  propertyRule('isVersion', (value) =>
    typeof value === 'string' && isVersion(value)
      ? undefined
      : 'must be a semantic version such as 1.4.0 or 2.0.0-beta.1, without a leading v and without build metadata',
  );
