import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../../config/settings.js';
import type { Secrets } from '../../platform/crypto/secrets.js';
import type { SchemaSource } from '../../platform/database/orm-options.js';
import { SECRETS, SETTINGS } from '../../platform/platform.module.js';
import type { Installation } from './run-checks.js';

/** Injection token of the {@link DeclaredSchema}. */
export const DECLARED_SCHEMA = Symbol('declared schema');

/** The schema that the release declares, and the database that should have it. */
export interface DeclaredSchema {
  readonly schema: SchemaSource;
  readonly databaseUrl: string;
}

/** What the checks of this process look at. */
@Injectable()
export class InstallationSource {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(SECRETS) private readonly secrets: Secrets,
    @Inject(DECLARED_SCHEMA) private readonly declared: DeclaredSchema,
  ) {}

  get(): Installation {
    return { settings: this.settings, secrets: this.secrets, ...this.declared };
  }
}
