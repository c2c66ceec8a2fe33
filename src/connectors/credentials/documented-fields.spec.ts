import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../config/paths.js';
import { PLATFORMS } from '../platforms/registry.js';
import { readFields } from './read-fields.js';

const PAGES = ['connectors-shops', 'connectors-accounting', 'connectors-erp'].map((name) =>
  readFileSync(join(PROJECT_ROOT, 'docs', `${name}.md`), 'utf8'),
);
/** The section of the guide about a platform: the one whose example names it. */
const sectionOf = (platform: string): string | undefined =>
  PAGES.flatMap((page) => page.split(/^## /m)).find((section) => section.includes(`\n\`"platform": "${platform}"`));

describe.each(Object.entries(PLATFORMS))('the guide to %s', (name, platform) => {
  const section = sectionOf(name);

  it('lists each field', () => {
    const fields = (section ?? '').match(/^\| `.*?(?= \|)/gm)?.flatMap((cell) => cell.match(/(?<=`)\w+(?=`)/g) ?? []);
    expect(fields).toEqual(expect.arrayContaining(platform.fields.map((field) => field.name)));
    expect(new Set(fields).size).toBe(platform.fields.length);
  });

  it('has an example with every field that is required', () => {
    const example = /"settings": (\{.*\})`$/m.exec(section ?? '')![1]!;
    const given = example.replace('-----\\n…', '-----\\nMC4=').replaceAll('…', '1a2b3c4d-0000-4000-8000-000000000000');
    const values = JSON.parse(given) as Record<string, string>;
    const { settings, secrets } = readFields(platform, values, {});
    expect({ ...settings, ...secrets }).toMatchObject(values);
  });
});
