import { defineEntity, p } from '@mikro-orm/core';
import { instant, text } from '../../platform/database/columns.js';

/** A switch over the whole platform, and who set it why. */
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
