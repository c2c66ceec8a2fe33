import { Migration } from '@mikro-orm/migrations';

/** What JavaScript drops from the ends of a text. */
const BLANKS = String.raw`U&'\0009\000A\000B\000C\000D\0020\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2028\2029\202F\205F\3000\FEFF'`;

const trimmed = (column: string): string => `${column} = nullif(btrim(${column}, ${BLANKS}), '')`;
const differs = (column: string): string => `${column} <> btrim(${column}, ${BLANKS}) OR ${column} = ''`;

/**
 * Uploads drop the blanks around names, categories and units in JSON as they always did in CSV, and so does who looks for a category:
 * what was stored with them would not be found any more.
 */
class TextsWithoutBlanks extends Migration {
  override up(): void {
    const columns = ['product_name', 'category', 'unit'];
    this.addSql(`UPDATE series SET ${columns.map(trimmed).join(', ')} WHERE ${columns.map(differs).join(' OR ')}`);
    const category = `config_overrides #>> '{series,category}'`;
    this.addSql(`UPDATE run_schedules
      SET config_overrides = jsonb_set(config_overrides, '{series,category}', to_jsonb(btrim(${category}, ${BLANKS})))
      WHERE ${category} <> btrim(${category}, ${BLANKS})`);
  }
}

export const textsWithoutBlanks = { name: '0141-texts-without-blanks', class: TextsWithoutBlanks };
