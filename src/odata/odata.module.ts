import { type DynamicModule, Module } from '@nestjs/common';
import { FeedService } from './feed.service.js';
import { ODataController } from './odata.controller.js';

/** The OData v4 feed for BI tools: the public API's data, read-only, as sets that can be filtered and aggregated. */
@Module({})
export class ODataModule {
  static forRole(role: { readonly api: boolean }): DynamicModule {
    return role.api
      ? { module: ODataModule, controllers: [ODataController], providers: [FeedService] }
      : { module: ODataModule };
  }
}
