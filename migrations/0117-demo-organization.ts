import { Migration } from '@mikro-orm/migrations';

/** Nobody tends the demo: checks of what customers do leave it out. Which one it is the start knows, and notes. */
class DemoOrganization extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE organizations ADD COLUMN is_demo boolean NOT NULL DEFAULT false`);
  }
}

export const demoOrganization = { name: '0117-demo-organization', class: DemoOrganization };
