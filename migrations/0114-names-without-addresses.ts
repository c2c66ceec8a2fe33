import { Migration } from '@mikro-orm/migrations';

/** Users made from the command line had their e-mail address as the name that the forum shows to everybody. */
class NamesWithoutAddresses extends Migration {
  override up(): void {
    this.addSql(
      `UPDATE users SET name = regexp_replace(name, '@[^@]*$', '') WHERE lower(name) = lower(email) AND name LIKE '_%@%'`,
    );
  }
}

export const namesWithoutAddresses = { name: '0114-names-without-addresses', class: NamesWithoutAddresses };
