import { Migration } from '@mikro-orm/migrations';

/**
 * The forum's search looks for letters with accents in one form of Unicode; posts that were written in the other one were not found by
 * either any more. PostgreSQL knows the forms in UTF-8 only.
 */
class AccentsInSearch extends Migration {
  override up(): void {
    this.addSql(`
      UPDATE community_posts p SET search = to_tsvector('english', normalize(said.words))
      FROM (
        SELECT w.id, CASE WHEN w.opening THEN t.title || E'\\n' || w.body ELSE w.body END AS words
        FROM community_posts w JOIN community_topics t ON t.id = w.topic_id WHERE w.deleted_at IS NULL
      ) said
      WHERE said.id = p.id
        AND CASE WHEN getdatabaseencoding() = 'UTF8' THEN said.words IS NOT NFC NORMALIZED ELSE false END`);
  }
}

export const accentsInSearch = { name: '0134-accents-in-search', class: AccentsInSearch };
