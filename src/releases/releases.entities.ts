import { defineEntity, p } from '@mikro-orm/core';
import { userReference } from '../access/users/users.entities.js';
import { instant, text } from '../platform/database/columns.js';

/** A numbered release of the product. Ids are created in the order of announcement: what has been read is determined by them. */
export const ReleaseEntity = defineEntity({
  name: 'Release',
  tableName: 'releases',
  properties: {
    id: p.uuid().primary(),
    version: text().unique('releases_version'),
    releasedOn: p.date(),
    title: text(),
    /** Markdown. */
    notes: text(),
    kind: text(),
    /** `[{kind, text}]`, text in Markdown, in the order of the changelog. */
    entries: p.json().defaultRaw(`'[]'`),
    createdAt: instant(),
    updatedAt: instant(),
  },
  indexes: [{ name: 'releases_listing', properties: ['releasedOn', 'id'] }],
});

/** The release up to which a user has marked everything as read. */
export const ReadWatermarkEntity = defineEntity({
  name: 'NotificationWatermark',
  tableName: 'notification_watermarks',
  properties: {
    user: userReference().primary(),
    readUpTo: p.uuid(),
  },
});

/** A release that a user has read individually, above the watermark. */
export const ReadReleaseEntity = defineEntity({
  name: 'NotificationRead',
  tableName: 'notification_reads',
  properties: {
    user: userReference().primary(),
    release: p.manyToOne(ReleaseEntity).mapToPk().fieldName('release_id').deleteRule('cascade').index(false).primary(),
  },
});

export const RELEASE_ENTITIES = [ReleaseEntity, ReadWatermarkEntity, ReadReleaseEntity];
