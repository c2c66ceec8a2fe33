import { Migration } from '@mikro-orm/migrations';

/** Who renews the tokens of a connector, and until when nobody else does. */
class TokenRenewals extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE connectors ADD COLUMN renewing_until timestamptz(3)`);
  }
}

export const tokenRenewals = { name: '0076-token-renewals', class: TokenRenewals };
