import { defineEntity, p } from '@mikro-orm/core';
import { instant, text } from '../../platform/database/columns.js';

/** A platform-wide switch, with who set it and why. */
export const PlatformFlagEntity = defineEntity({
  name: 'PlatformFlag',
  tableName: 'platform_flags',
  properties: {
    name: text().primary(),
    enabled: p.boolean(),
    reason: text().nullable(),
    changedBy: text(),
    changedAt: instant(),
  },
});
