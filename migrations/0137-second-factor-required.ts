import { Migration } from '@mikro-orm/migrations';

/** That all who administer an organization have a second factor was asked for by its readiness, and for nobody to enforce. */
class SecondFactorRequired extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE organizations ADD COLUMN second_factor_required boolean NOT NULL DEFAULT false`);
  }
}

export const secondFactorRequired = { name: '0137-second-factor-required', class: SecondFactorRequired };
