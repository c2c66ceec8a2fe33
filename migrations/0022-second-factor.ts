import { Migration } from '@mikro-orm/migrations';

/** The last time step whose code was taken: a code is good once. */
class SecondFactor extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE users ADD COLUMN totp_last_step int`);
  }
}

export const secondFactor = { name: '0022-second-factor', class: SecondFactor };
